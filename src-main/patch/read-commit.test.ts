import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCommit } from './read-commit.ts';

let repository: string;
beforeEach(() => {
  repository = mkdtempSync(path.join(tmpdir(), 'commit-'));
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

function git(...args: string[]): string {
  const who = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@x', GIT_COMMITTER_NAME: 'T' };
  const none = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const env = { PATH: process.env['PATH'], ...who, ...none, GIT_COMMITTER_EMAIL: 't@x' };
  return execFileSync('git', args, { cwd: repository, env }).toString().trim();
}

function write(name: string, content: string | Buffer): void {
  writeFileSync(path.join(repository, name), content);
}

function commit(message: string): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
  return git('rev-parse', 'HEAD');
}

test('both trees come with modes, links and raw bytes; no filter of the repository runs', async () => {
  write('a.txt', 'one\r\n');
  write('run.sh', '#!/bin/sh\n');
  chmodSync(path.join(repository, 'run.sh'), 0o755);
  symlinkSync('a.txt', path.join(repository, 'link'));
  const parent = commit('First');
  write('a.txt', 'two\r\n');
  rmSync(path.join(repository, 'run.sh'));
  const id = commit('Second\n\nwith a body');
  write('.gitattributes', '*.txt filter=evil\n');
  git('config', 'filter.evil.smudge', 'touch smudged; cat');
  write('a.txt', 'dirty');
  const found = await readCommit(repository, 'main', async (read) => {
    const contents: Record<string, string> = {};
    for await (const file of read.contents([...read.before, ...read.after])) {
      contents[`${file.id.slice(0, 4)} ${file.path}`] = Buffer.from(file.content).toString();
    }
    return { ...read, contents };
  });
  expect(found).toMatchObject({ commit: id, parent, subject: 'Second', notCarried: [] });
  expect(found.before.map(({ path: name, mode }) => [name, mode])).toEqual([
    ['a.txt', '100644'],
    ['link', '120000'],
    ['run.sh', '100755'],
  ]);
  expect(found.after.map(({ path: name }) => name)).toEqual(['a.txt', 'link']);
  expect(Object.values(found.contents).toSorted()).toEqual([
    '#!/bin/sh\n',
    'a.txt',
    'one\r\n',
    'two\r\n',
  ]);
  expect(git('status', '--porcelain', '--untracked-files')).not.toContain('smudged');
});

test('of a merge the first parent is the state before; what cannot be carried is named', async () => {
  write('a', '1');
  commit('First');
  git('checkout', '--quiet', '-b', 'side');
  write('b', '2');
  const side = commit('Side');
  git('checkout', '--quiet', 'main');
  write('c', '3');
  const main = commit('Main');
  git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'side');
  git('update-index', '--add', '--cacheinfo', `160000,${side},module`);
  git('commit', '--quiet', '--amend', '--message', 'Merge');
  await readCommit(repository, 'HEAD', (read) => {
    expect(read.parent).toBe(main);
    expect(read.after.map(({ path: name }) => name)).toEqual(['a', 'b', 'c']);
    expect(read.notCarried).toEqual([{ path: 'module', reason: 'submodule' }]);
    return Promise.resolve();
  });
});

test('what is no commit, or has none before it, is refused', async () => {
  write('a', '1');
  const first = commit('First');
  const none = () => Promise.resolve();
  for (const revision of ['nowhere', '--all', 'HEAD:a', first, '']) {
    await expect(readCommit(repository, revision, none)).rejects.toMatchObject({ code: 'usage' });
  }
  await expect(readCommit(path.join(repository, 'x'), 'HEAD', none)).rejects.toMatchObject({
    code: 'repo_not_found',
  });
});
