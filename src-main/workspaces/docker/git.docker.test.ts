import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBench, textOf, type Bench } from '../../../test/support/workspaces.ts';
import type { SeedEntry, Workspace } from '../types.ts';

/** A repository with one commit, as the seed of a workspace has it. */
function repositorySeed(): SeedEntry[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-repo-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(folder, 'file.txt'), 'one\n');
  git('add', '.');
  git('-c', 'user.name=V', '-c', 'user.email=v@localhost', 'commit', '-q', '-m', 'start');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const entries = names.map((name): SeedEntry => {
    const full = path.join(folder, name);
    if (lstatSync(full).isDirectory())
      return { path: name, mode: '40000', content: Buffer.alloc(0) };
    return { path: name, mode: '100644', content: readFileSync(full) };
  });
  rmSync(folder, { recursive: true });
  return entries;
}

describe('a repository in a workspace', () => {
  let bench: Bench;
  let workspace: Workspace;

  beforeAll(async () => {
    bench = await openBench();
    workspace = await bench.open({ seed: repositorySeed() });
  });
  afterAll(() => bench.dispose());

  const run = (command: string) => workspace.run({ command, timeoutMs: 10_000 });

  test('B11 status, diff and log work, without dubious ownership', async () => {
    const status = await run('git status --porcelain; git log --format=%s; git remote; git diff');
    expect([textOf(status.stdout), textOf(status.stderr)]).toEqual(['start\n', '']);
    await workspace.writeFile('file.txt', Buffer.from('two\n'));
    const diff = await run('git diff');
    expect(textOf(diff.stdout)).toMatch(/\n-one\n\+two\n$/);
  });

  test('B02 a commit without a message, editors, pagers and interpreters end by themselves', async () => {
    await run('git add -A');
    const identity = '-c user.name=A -c user.email=a@localhost';
    const commit = await run(`GIT_EDITOR= git ${identity} commit`);
    expect(commit.timedOut).toBe(false);
    expect(commit.exitCode).not.toBe(0);
    const plain = await run(`git ${identity} commit`);
    expect(plain).toMatchObject({ timedOut: false, exitCode: 1 });
    for (const command of [
      'git log',
      'git diff HEAD',
      'python3',
      'bash',
      'vi file.txt',
      'less file.txt',
    ]) {
      expect([command, (await run(command)).timedOut]).toEqual([command, false]);
    }
    const done = await run(`git ${identity} commit -q -m two; git log --oneline | wc -l`);
    expect(textOf(done.stdout).trim()).toBe('2');
  });
});
