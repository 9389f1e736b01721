import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Environment } from '../environment.ts';
import { reviewHandlers } from './review.ts';
import { recordedSession } from './testing/recorded-session.ts';
import { repositoryAt } from './testing/repository.ts';

let home: string;
let environment: Environment;
let repository: string;

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const context = { signal: new AbortController().signal };

function edited(changes: Readonly<Record<number, string>>): string {
  return `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
}

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'vivarium-review-'));
  repository = repositoryAt(path.join(home, 'repository'), {
    'shop.py': edited({}),
    'old.txt': 'old\n',
  });
  environment = new Environment({ home, env: {} });
  await recordedSession(environment, repository, [
    {
      path: 'shop.py',
      kind: 'file',
      executable: false,
      content: Buffer.from(edited({ 3: 'import subprocess', 30: 'thirty\u202e' })),
    },
    { path: 'old.txt', kind: 'deleted' },
  ]);
});

afterEach(async () => {
  await environment.close();
  rmSync(home, { recursive: true, force: true });
});

test('a review shows files, hunks, flags with their state, and whether it applies', async () => {
  const handlers = reviewHandlers(environment);
  const review = await handlers['review/get']({ session: 's1' }, context);
  expect(review.files.map(({ path: name, status, kind }) => [name, status, kind])).toEqual([
    ['old.txt', 'deleted', 'text'],
    ['shop.py', 'modified', 'text'],
  ]);
  expect(review.files.map(({ hunks }) => hunks)).toEqual([
    [{ id: '0', header: 'deleted file mode 100644', decision: 'open' }],
    [
      { id: '1.0', header: '@@ -1,6 +1,6 @@', decision: 'open' },
      { id: '1.1', header: '@@ -27,7 +27,7 @@ line 26', decision: 'open' },
    ],
  ]);
  expect(review.files[1]?.text).toContain('+thirty\u202e\n');
  expect([review.partial, review.appliesToWorkingTree, review.appliesDetail]).toEqual([
    false,
    true,
    null,
  ]);
  expect(review.flags.map(({ kind, exported }) => [kind, exported])).toEqual([
    ['deleted', true],
    ['risky_calls', true],
    ['hidden_characters', true],
  ]);
});

test('decisions take effect on flags and survive a restart; a look at the tree follows them', async () => {
  const handlers = reviewHandlers(environment);
  writeFileSync(path.join(repository, 'shop.py'), edited({ 30: 'changed by me' }));
  const decide = handlers['review/decide'];
  const whole = await handlers['review/get']({ session: 's1' }, context);
  expect(whole.appliesToWorkingTree).toBe(false);
  const attempt = 's1.1';
  await decide({ session: 's1', attempt, hunks: ['1'], decision: 'accepted' }, context);
  const updatedAt = environment.store.session('s1').updatedAt;
  const partial = await decide(
    { session: 's1', attempt, hunks: ['1.1', '0'], decision: 'rejected' },
    context,
  );
  expect(environment.store.session('s1').updatedAt).toBe(updatedAt);
  expect([partial.partial, partial.appliesToWorkingTree]).toEqual([true, true]);
  expect(partial.flags.map(({ kind, exported }) => [kind, exported])).toEqual([
    ['deleted', false],
    ['risky_calls', true],
    ['hidden_characters', false],
  ]);
  await environment.close();
  environment = new Environment({ home, env: {} });
  const again = await reviewHandlers(environment)['review/get']({ session: 's1' }, context);
  expect(again).toEqual(partial);
  await expect(
    reviewHandlers(environment)['review/decide'](
      { session: 's1', attempt, hunks: ['7'], decision: 'open' },
      context,
    ),
  ).rejects.toMatchObject({ code: 'usage', message: 'the patch has no part 7' });
});

test('a decision on a patch that the attempt had before is refused, and kept nowhere', async () => {
  const handlers = reviewHandlers(environment);
  const { attempt, sha256 } = await handlers['review/get']({ session: 's1' }, context);
  const decision = { session: 's1', attempt, hunks: ['1.0'], decision: 'rejected' as const };
  const late = handlers['review/decide']({ ...decision, patch: 'f'.repeat(64) }, context);
  await expect(late).rejects.toMatchObject({
    code: 'usage',
    message: 'the attempt went on, and has another patch than the one that was shown',
  });
  expect((await handlers['review/get']({ session: 's1' }, context)).partial).toBe(false);
  const decided = await handlers['review/decide']({ ...decision, patch: sha256 }, context);
  expect(decided.partial).toBe(true);
});

test('notes are added, changed and removed', async () => {
  const handlers = reviewHandlers(environment);
  const at = { session: 's1', attempt: 's1.1' };
  const added = await handlers['review/note'](
    { ...at, note: { path: 'shop.py', line: 3, text: ' Why? ' } },
    context,
  );
  const [note] = added.notes;
  expect(note).toEqual({ id: note?.id, path: 'shop.py', line: 3, text: 'Why?' });
  await handlers['review/note'](
    { ...at, note: { path: 'shop.py', line: null, text: 'All.' } },
    context,
  );
  const id = note?.id ?? '';
  const changed = await handlers['review/note'](
    { ...at, note: { id, path: 'shop.py', line: 3, text: 'Why not?' } },
    context,
  );
  expect(changed.notes.map(({ text }) => text)).toEqual(['Why not?', 'All.']);
  const left = await handlers['review/removeNote']({ ...at, id }, context);
  expect(left.notes.map(({ text }) => text)).toEqual(['All.']);
  await handlers['review/removeNote']({ ...at, id }, context);
  const empty = { ...at, note: { path: 'shop.py', line: 3, text: ' \n' } };
  await expect(handlers['review/note'](empty, context)).rejects.toMatchObject({ code: 'usage' });
});

test('no patch, no attempt, no session: each says what to do', async () => {
  const handlers = reviewHandlers(environment);
  await recordedSession(environment, repository, [], 'empty');
  await expect(handlers['review/get']({ session: 'empty' }, context)).rejects.toMatchObject({
    code: 'nothing_to_export',
  });
  await expect(
    handlers['review/get']({ session: 's1', attempt: 's1.9' }, context),
  ).rejects.toMatchObject({ code: 'usage', message: 'session s1 has no attempt s1.9' });
  await expect(handlers['review/get']({ session: 'zz' }, context)).rejects.toMatchObject({
    code: 'session_not_found',
  });
});
