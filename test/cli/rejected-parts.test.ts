import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Environment } from '../../src-main/core/environment.ts';
import { createHandlers } from '../../src-main/core/handlers/index.ts';
import { recordedSession } from '../../src-main/core/handlers/testing/recorded-session.ts';
import { repositoryAt } from '../../src-main/core/handlers/testing/repository.ts';
import { runCliProcess } from '../../src-main/doors/cli/testing.ts';

const context = { signal: new AbortController().signal };

/** A session with a patch of two files, of which a person rejected the second. */
async function reviewed(): Promise<{ home: string; run: typeof runCliProcess }> {
  const home = mkdtempSync(path.join(tmpdir(), 'vivarium-rejected-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const repository = repositoryAt(path.join(home, 'repository'), { 'shop.py': 'TAX = 1\n' });
  const environment = new Environment({ home, env: {} });
  const file = { kind: 'file', executable: false } as const;
  await recordedSession(environment, repository, [
    { ...file, path: 'shop.py', content: Buffer.from('TAX = 2\n') },
    { ...file, path: 'notes.txt', content: Buffer.from('for myself\n') },
  ]);
  const handlers = createHandlers(environment);
  const review = await handlers['review/get']({ session: 's1' }, context);
  const notes = review.files.find((one) => one.path === 'notes.txt');
  const hunks = notes?.hunks.map(({ id }) => id) ?? [];
  await handlers['review/decide'](
    { session: 's1', attempt: 's1.1', hunks, decision: 'rejected' },
    context,
  );
  const { result } = await handlers['sessions/get']({ session: 's1' }, context);
  expect(result.patch?.rejected).toEqual(REJECTED);
  await environment.close();
  const run: typeof runCliProcess = (words) =>
    runCliProcess(words, { env: { VIVARIUM_HOME: home } });
  return { home, run };
}

const REJECTED = [{ path: 'notes.txt', header: 'new file mode 100644' }];

test('export and show say what the review left out, for people and for programs', async () => {
  const { home, run } = await reviewed();
  const exported = await run(['export', 's1', '--out', home]);
  expect([exported.code, exported.stderr]).toEqual([
    0,
    'note: left out: 1 part of the patch rejected in the review (notes.txt)\n',
  ]);
  const [patch = ''] = exported.stdout.split('\n');
  expect(readFileSync(patch, 'utf8')).not.toContain('notes.txt');
  const asJson = await run(['export', 's1', '--out', path.join(home, 'more'), '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ rejected: REJECTED });
  const leaf = await run(['export', 's1', '--out', home, '--format', 'leaf']);
  expect(leaf.stderr).toBe(
    'note: trajectories hold the whole patch, with 1 part of the patch rejected in the review (notes.txt)\n',
  );
  const shown = await run(['show', 's1']);
  expect(shown.stdout).toContain(
    'Rejected  in review, not exported: 1 part\n          notes.txt  new file mode 100644\n',
  );
  const shownJson = await run(['show', 's1', '--json']);
  expect(JSON.parse(shownJson.stdout)).toMatchObject({ patch: { rejected: REJECTED } });
  const whole = await run(['show', 's1', '--patch']);
  expect(whole.stdout).toContain('notes.txt');
  expect(whole.stderr).toBe(
    'note: the whole patch, with what a review rejected; an export leaves that out\n',
  );
});
