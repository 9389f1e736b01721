import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listSnapshots, openSnapshot, takeSnapshot } from './index.ts';
import type { Snapshot } from './index.ts';
import { git, repositoryWith, testFolder, write } from './testing/repositories.ts';

async function snapshotOf(repository: string): Promise<Snapshot> {
  return takeSnapshot(repository, { home: testFolder(), sessionId: 's1' });
}

describe('refusals', () => {
  async function codeOf(path: string): Promise<string> {
    const fault: unknown = await snapshotOf(path).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(fault instanceof Error) || !('code' in fault) || !('next' in fault)) return 'none';
    expect(fault.message.split('\n')).toHaveLength(1);
    expect(fault.next).not.toBe('');
    return String(fault.code);
  }

  test('nothing there, a file, no repository, bare, empty, inside .git', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await codeOf(join(folder, 'missing'))).toBe('repo_not_found');
    expect(await codeOf(join(folder, 'file'))).toBe('repo_not_found');
    expect(await codeOf(folder)).toBe('repo_not_git');
    git(folder, ['init', '-q', '--bare', 'bare.git']);
    expect(await codeOf(join(folder, 'bare.git'))).toBe('repo_bare');
    git(folder, ['init', '-q', 'unborn']);
    expect(await codeOf(join(folder, 'unborn'))).toBe('repo_empty');
    expect(await codeOf(join(repositoryWith({ a: '1\n' }), '.git'))).toBe('repo_not_git');
  });

  test('a repository whose core.worktree names a folder elsewhere, above it included', async () => {
    const folder = testFolder();
    writeFileSync(join(folder, 'private'), 'of the user');
    const repository = repositoryWith({ a: '1\n' }, join(folder, 'deep', 'repo'));
    for (const place of [folder, join(folder, 'deep'), '../..', '/']) {
      git(repository, ['config', 'core.worktree', place]);
      expect([place, await codeOf(repository)]).toEqual([place, 'repo_unreadable']);
    }
    // As git itself writes it for submodules it names the tree that leads to it.
    for (const place of [repository, '..']) {
      git(repository, ['config', 'core.worktree', place]);
      expect([place, await codeOf(repository)]).toEqual([place, 'none']);
    }
  });

  test('a broken HEAD, index or object store', async () => {
    const head = repositoryWith({ a: '1\n' });
    writeFileSync(join(head, '.git', 'HEAD'), 'rubbish\n');
    expect(await codeOf(head)).toBe('repo_not_git');
    const index = repositoryWith({ a: '1\n' });
    writeFileSync(join(index, '.git', 'index'), 'rubbish');
    expect(await codeOf(index)).toBe('repo_unreadable');
    const objects = repositoryWith({ a: '1\n' });
    rmSync(join(objects, '.git', 'objects'), { recursive: true });
    mkdirSync(join(objects, '.git', 'objects'));
    expect(await codeOf(objects)).toBe('repo_unreadable');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'dubious ownership, unless the user trusts the folder',
    async () => {
      const repository = repositoryWith({ a: '1\n' }, join(testFolder(), "it's mine"));
      chownSync(repository, 12345, 12345);
      vi.stubEnv('HOME', testFolder());
      vi.stubEnv('XDG_CONFIG_HOME', testFolder());
      vi.stubEnv('SUDO_UID', undefined);
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      const fault: unknown = await snapshotOf(repository).catch((thrown: unknown) => thrown);
      expect(fault).toMatchObject({
        code: 'repo_unreadable',
        message: `${repository} belongs to another user, so git does not trust it (dubious ownership)`,
        next: `If you trust it: git config --global --add safe.directory '${repository.replace("'", "'\\''")}'`,
      });
      const home = String(process.env.HOME);
      write(home, { '.gitconfig': '[safe]\n\tdirectory = /elsewhere\n' });
      expect(await codeOf(repository)).toBe('repo_unreadable');
      write(home, {
        '.gitconfig': `[safe]\n\tdirectory = "${repository}"\n[diff]\n\tnoprefix = true\n`,
      });
      expect((await snapshotOf(repository)).files).toBe(1);
    },
  );

  test('a home that cannot be written', async () => {
    const repository = repositoryWith({ a: '1\n' });
    const home = join(testFolder(), 'file');
    writeFileSync(home, '');
    await expect(takeSnapshot(repository, { home, sessionId: 's1' })).rejects.toMatchObject({
      code: 'out_unwritable',
    });
  });

  test('P11 a process that is killed while it takes a snapshot leaves no snapshot, and a folder that is listed', async () => {
    const repository = repositoryWith({ big: Buffer.alloc(40 * 1024 * 1024, 'abcdefgh\n') });
    const home = testFolder();
    const script = `import { takeSnapshot } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
      process.stdout.write('go');
      await takeSnapshot(${JSON.stringify(repository)}, { home: ${JSON.stringify(home)}, sessionId: 's1' });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const folder = join(home, 'snapshots');
    while (!existsSync(folder) || readdirSync(folder).length === 0) await setTimeout(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await openSnapshot(home, 's1')).toBeUndefined();
    const [left] = await listSnapshots(home);
    expect(left).toMatchObject({ sessionId: undefined });
    expect((await takeSnapshot(repository, { home, sessionId: 's1' })).files).toBe(1);
  });
});
