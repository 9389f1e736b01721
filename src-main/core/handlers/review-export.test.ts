import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../patch/index.ts';
import { Environment } from '../environment.ts';
import { reviewHandlers } from './review.ts';
import { recordedSession } from './testing/recorded-session.ts';
import { git, repositoryAt } from './testing/repository.ts';

let home: string;
let out: string;
let environment: Environment;
let repository: string;

const context = { signal: new AbortController().signal };
const at = { session: 's1', attempt: 's1.1' };

function text(changes: Readonly<Record<number, string>>): string {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  return `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
}

const CHANGES: Change[] = [
  {
    path: 'shop.py',
    kind: 'file',
    executable: false,
    content: Buffer.from(text({ 3: 'three', 30: 'thirty' })),
  },
  { path: 'new.py', kind: 'file', executable: false, content: Buffer.from('NEW = 1\n') },
];

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'vivarium-export-'));
  out = path.join(home, "it's $(here)");
  repository = repositoryAt(path.join(home, 'repository'), { 'shop.py': text({}) });
  environment = new Environment({ home, env: {} });
  await recordedSession(environment, repository, CHANGES);
});

afterEach(async () => {
  await environment.close();
  rmSync(home, { recursive: true, force: true });
});

function recordedPatch(): Uint8Array {
  const made = environment.store
    .events({ sessionId: 's1' })
    .map(({ body }) => body)
    .find((body) => body.type === 'patch.made');
  return environment.store.blob(made?.blob ?? '');
}

test('P08 with nothing rejected the patch is the recorded one, byte for byte', async () => {
  const handlers = reviewHandlers(environment);
  await handlers['review/decide']({ ...at, hunks: ['0'], decision: 'accepted' }, context);
  const { files, command } = await handlers['review/export'](
    { ...at, format: 'patch', out },
    context,
  );
  expect(files.map((file) => path.basename(file))).toEqual([
    'totals-are-off-by-one-s1.patch',
    'totals-are-off-by-one-s1.json',
    'totals-are-off-by-one-s1.trajectory.json',
  ]);
  expect(readFileSync(files[0] ?? '').equals(recordedPatch())).toBe(true);
  const provenance: unknown = JSON.parse(readFileSync(files[1] ?? '', 'utf8'));
  expect(provenance).not.toHaveProperty('review');
  const quoted = `${home}/it'\\''s $(here)/totals-are-off-by-one-s1.patch`;
  expect(command).toBe(`git -C ${repository} apply '${quoted}'`);
});

test('what was rejected is in no format, and each says so', async () => {
  const handlers = reviewHandlers(environment);
  await handlers['review/decide']({ ...at, hunks: ['0', '1.0'], decision: 'rejected' }, context);
  const note = { path: 'shop.py', line: 30, text: 'Good.' };
  await handlers['review/note']({ ...at, note }, context);
  const { files } = await handlers['review/export']({ ...at, format: 'patch', out }, context);
  git(repository, 'apply', files[0] ?? '');
  expect(readFileSync(path.join(repository, 'shop.py'), 'utf8')).toBe(text({ 30: 'thirty' }));
  expect(readdirSync(repository).toSorted()).toEqual(['.git', 'shop.py']);
  const provenance = JSON.parse(readFileSync(files[1] ?? '', 'utf8')) as Record<string, never>;
  expect(provenance).toMatchObject({
    patch: { files: [{ path: 'shop.py', status: 'modified', insertions: 1, deletions: 1 }] },
    review: {
      partial: true,
      rejected: [
        { id: '0', path: 'new.py', header: 'new file mode 100644' },
        { id: '1.0', path: 'shop.py', header: '@@ -1,6 +1,6 @@' },
      ],
      notes: [{ path: 'shop.py', line: 30, text: 'Good.' }],
    },
  });
  git(repository, 'checkout', '-q', '.');
  for (const format of ['mbox', 'html', 'markdown'] as const) {
    const { base64 } = await handlers['review/download']({ ...at, format }, context);
    const file = Buffer.from(base64, 'base64').toString('utf8');
    expect(file).toContain('1 of 3 parts of the proposed patch; the others were rejected');
    expect(file).toContain('thirty');
    expect(file).not.toContain('NEW = 1');
    expect(file).not.toContain('+three');
  }
  const mail = await handlers['review/export']({ ...at, format: 'mbox', out }, context);
  git(repository, 'am', '-q', mail.files[0] ?? '');
  expect(readFileSync(path.join(repository, 'shop.py'), 'utf8')).toBe(text({ 30: 'thirty' }));
  const event = environment.store
    .events({ sessionId: 's1' })
    .findLast(({ body }) => body.type === 'patch.exported');
  expect(event?.body).toMatchObject({ partial: true, appliesToWorkingTree: true });
});

test('with everything rejected there is nothing to export, and the next step is told', async () => {
  const handlers = reviewHandlers(environment);
  const all = await handlers['review/decide'](
    { ...at, hunks: ['0', '1'], decision: 'rejected' },
    context,
  );
  expect([all.partial, all.appliesToWorkingTree]).toEqual([true, null]);
  for (const format of ['patch', 'mbox', 'html', 'markdown'] as const) {
    await expect(handlers['review/export']({ ...at, format, out }, context)).rejects.toMatchObject({
      code: 'nothing_to_export',
      next: 'Accept at least one part, or send your notes back as a follow-up.',
    });
  }
  await handlers['review/decide']({ ...at, hunks: ['1'], decision: 'open' }, context);
  const { files } = await handlers['review/export']({ ...at, format: 'patch', out }, context);
  expect(files).toHaveLength(3);
});

test('downloads are the exported files, one each, under a plain name', async () => {
  const handlers = reviewHandlers(environment);
  const names: string[][] = [];
  for (const format of ['patch', 'mbox', 'leaf', 'html', 'markdown'] as const) {
    const { name, mime } = await handlers['review/download']({ session: 's1', format }, context);
    names.push([name.replace('totals-are-off-by-one-s1', ''), mime]);
  }
  expect(names).toEqual([
    ['.patch', 'text/x-patch'],
    ['.mbox', 'application/mbox'],
    ['.trajectory.json', 'application/json'],
    ['.html', 'text/html'],
    ['.md', 'text/markdown'],
  ]);
  const { base64 } = await handlers['review/download']({ ...at, format: 'patch' }, context);
  expect(Buffer.from(base64, 'base64').equals(recordedPatch())).toBe(true);
});

test('a tree that has changed gets a three-way command; a folder must be absolute', async () => {
  const handlers = reviewHandlers(environment);
  writeFileSync(path.join(repository, 'shop.py'), text({ 3: 'mine' }));
  const { command } = await handlers['review/export']({ ...at, format: 'patch', out }, context);
  expect(command).toContain(`git -C ${repository} apply --3way '`);
  await expect(
    handlers['review/export']({ ...at, format: 'html', out: 'here' }, context),
  ).rejects.toMatchObject({ code: 'usage' });
  const { files } = await handlers['review/export']({ ...at, format: 'leaf', out }, context);
  expect(files.map((file) => path.relative(out, file))).toEqual([
    'trajectories/s1/trajectory_seed-1.json',
    'trajectories/s1/generated_seed-1.patch',
  ]);
});
