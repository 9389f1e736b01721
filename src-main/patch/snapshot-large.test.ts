import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePatch, seedEntries, takeSnapshot } from './index.ts';
import { file, gitLine, testFolder } from './testing/repositories.ts';

const FOLDERS = 200;
const FILES = 500;

/** A clean checkout of 100,000 small files; the commit comes from `fast-import`, as a file a time is slow. */
function largeRepository(): string {
  const repository = join(testFolder(), 'large');
  const git = (words: string[], input?: string) =>
    execFileSync('git', words, {
      cwd: repository,
      stdio: 'pipe',
      ...(input === undefined ? {} : { input }),
    });
  execFileSync('git', ['init', '-q', '-b', 'trunk', repository], { stdio: 'pipe' });
  const lines = ['commit refs/heads/trunk', 'committer T <t@localhost> 0 +0000', 'data 0', ''];
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    for (let one = 0; one < FILES; one += 1) {
      const content = `${folder} ${one}\n`;
      lines.push(`M 100644 inline d${folder}/f${one}.txt`, `data ${content.length}`, content);
    }
  }
  git(['fast-import', '--quiet'], `${lines.join('\n')}\n`);
  git(['reset', '--hard', '-q']);
  return repository;
}

test('W04 a repository of 100,000 files: a whole snapshot, a seed and a patch', async () => {
  const repository = largeRepository();
  const began = performance.now();
  const snapshot = await takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
  expect(snapshot.files).toBe(FOLDERS * FILES);
  expect(snapshot.tree).toBe(gitLine(repository, 'rev-parse', 'HEAD^{tree}'));
  let carried = 0;
  for await (const { path, mode } of seedEntries(snapshot)) {
    if (mode === '100644' && !path.startsWith('.git/')) carried += 1;
  }
  expect(carried).toBe(FOLDERS * FILES);
  const patch = await makePatch(snapshot, [file('d7/f7.txt', 'changed\n'), file('new.txt', 'n\n')]);
  expect(patch.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
    'modified d7/f7.txt',
    'added new.txt',
  ]);
  expect(performance.now() - began).toBeLessThan(60_000);
}, 120_000);
