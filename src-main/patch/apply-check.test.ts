import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { checkApplies, makePatch, takeSnapshot } from './index.ts';
import type { Change } from './index.ts';
import {
  deleted,
  file,
  fingerprint,
  git,
  repositoryWith,
  symlink,
  testFolder,
  write,
} from './testing/repositories.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
const BASE = {
  'a.txt': LINES.join(''),
  'other.txt': 'x\n',
  'crlf.txt': 'a\r\nb\r\n',
  'folder/f': 'x\n',
};

/** Of the checks; nothing may stay in it. */
const home = mkdtempSync(join(tmpdir(), 'vivarium-apply-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function prepared(
  changes: readonly Change[],
): Promise<{ repository: string; bytes: Uint8Array }> {
  const repository = repositoryWith(BASE);
  const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
  return { repository, bytes: (await makePatch(snapshot, changes)).bytes };
}

function withLine(at: number, text: string): string {
  return LINES.with(at, text).join('');
}

/** What git says when the user really tries it, on a copy. */
function reallyApplies(repository: string, bytes: Uint8Array): boolean {
  try {
    git(repository, ['apply', '--check', '-'], bytes);
    return true;
  } catch {
    return false;
  }
}

test('P12 an unchanged tree, and changes elsewhere: it applies, and nothing is written', async () => {
  const { repository, bytes } = await prepared([
    file('a.txt', withLine(3, 'THREE\n')),
    file('new/n.txt', 'n\n'),
    file('crlf.txt', 'a\r\nB\r\n'),
    deleted('other.txt'),
  ]);
  const before = fingerprint(repository);
  const temporary = testFolder();
  vi.stubEnv('TMPDIR', temporary);
  expect(await checkApplies(bytes, repository, { home })).toEqual({ applies: true, detail: null });
  vi.unstubAllEnvs();
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(join(home, 'snapshots'))).toEqual([]);
  expect(fingerprint(repository)).toEqual(before);
  write(repository, { 'a.txt': withLine(25, 'mine\n'), 'mine.txt': 'm\n' });
  expect(await checkApplies(bytes, join(repository, 'folder'), { home })).toEqual({
    applies: true,
    detail: null,
  });
  expect(reallyApplies(repository, bytes)).toBe(true);
});

test('P12 the same lines changed, the file gone, the new file there already', async () => {
  const { repository, bytes } = await prepared([
    file('a.txt', withLine(3, 'THREE\n')),
    file('new.txt', 'n\n'),
    deleted('other.txt'),
  ]);
  write(repository, { 'a.txt': withLine(3, 'mine\n') });
  expect(await checkApplies(bytes, repository, { home })).toEqual({
    applies: false,
    detail: 'patch failed: a.txt:1; a.txt: patch does not apply',
  });
  expect(reallyApplies(repository, bytes)).toBe(false);
  write(repository, { 'a.txt': LINES.join(''), 'new.txt': 'mine\n' });
  expect(await checkApplies(bytes, repository, { home })).toMatchObject({
    applies: false,
    detail: 'new.txt: already exists in index',
  });
  expect(reallyApplies(repository, bytes)).toBe(false);
  rmSync(join(repository, 'new.txt'));
  rmSync(join(repository, 'other.txt'));
  expect(await checkApplies(bytes, repository, { home })).toMatchObject({
    applies: false,
    detail: 'other.txt: does not exist in index',
  });
  expect(reallyApplies(repository, bytes)).toBe(false);
});

test('P12 folders and files that changed places', async () => {
  const { repository, bytes } = await prepared([file('new.txt', 'n\n'), file('folder/g', 'g\n')]);
  mkdirSync(join(repository, 'new.txt'));
  write(repository, { 'new.txt/inside': 'x\n' });
  expect(await checkApplies(bytes, repository, { home })).toEqual({
    applies: false,
    detail: 'new.txt is a folder now',
  });
  rmSync(join(repository, 'new.txt'), { recursive: true });
  write(repository, { folder: 'a file\n' });
  expect(await checkApplies(bytes, repository, { home })).toEqual({
    applies: false,
    detail: 'folder is not a folder any more',
  });
});

test('P12 a patch that turns a file into a folder, a folder into a file, and a file into a link', async () => {
  const { repository, bytes } = await prepared([
    deleted('folder/f'),
    file('folder', 'now a file\n'),
    deleted('other.txt'),
    file('other.txt/inside', 'x\n'),
    symlink('a.txt', 'other.txt'),
  ]);
  expect(await checkApplies(bytes, repository, { home })).toEqual({ applies: true, detail: null });
  expect(reallyApplies(repository, bytes)).toBe(true);
});

test('P12 a repository that is gone, and bytes that are no patch', async () => {
  const { repository, bytes } = await prepared([file('new.txt', 'n\n')]);
  await expect(checkApplies(Buffer.from('rubbish\n'), repository, { home })).rejects.toMatchObject({
    code: 'patch_invalid',
  });
  const bad = Buffer.from('diff --git a/../x b/../x\nnew file mode 100644\n');
  expect(await checkApplies(bad, repository, { home })).toMatchObject({ applies: false });
  rmSync(repository, { recursive: true });
  expect(await checkApplies(bytes, repository, { home })).toEqual({
    applies: false,
    detail: `there is no folder ${repository}`,
  });
});
