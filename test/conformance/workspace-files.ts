import { describe, expect, test } from 'vitest';
import { bytesOf } from '../support/workspaces.ts';
import type { Subject } from './subject.ts';

/** Files as the tools of a scaffold use them. */
export function fileCases(subject: Subject): void {
  const write = (path: string, text: string) =>
    subject.workspace.writeFile(path, Buffer.from(text, 'latin1'));
  const read = async (path: string) => {
    const found = await subject.workspace.readFile(path);
    return found && bytesOf(found.bytes);
  };
  const sh = (command: string) =>
    subject.workspace.run({ command, shell: 'sh', timeoutMs: 20_000 });

  describe('files', () => {
    test('all bytes survive a write and a read; parents are made', async () => {
      const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, at) => at & 0xff));
      const written = await subject.workspace.writeFile('f/new folder/all.bin', bytes);
      const realPath = `${subject.workspace.root}/f/new folder/all.bin`;
      expect(written).toEqual({ created: true, realPath });
      const found = await subject.workspace.readFile('f/new folder/all.bin');
      expect(found).toMatchObject({ totalBytes: 3_000, realPath, mode: 0o644 });
      expect(bytesOf(found?.bytes ?? Buffer.alloc(0))).toBe(bytesOf(bytes));
    });

    test('large and empty files keep their length', async () => {
      for (const size of [0, 1, 65_536, 1_048_576, 1_048_577, 5_000_001]) {
        const bytes = Buffer.alloc(size, 'abc');
        await subject.workspace.writeFile('f/sized', bytes);
        const found = await subject.workspace.readFile('f/sized');
        expect(found?.totalBytes).toBe(size);
        expect(Buffer.compare(found?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
      }
    });

    test('a read is cut at the wanted length and says the whole one', async () => {
      await write('f/cut', 'x'.repeat(1_000));
      const found = await subject.workspace.readFile('f/cut', { maxBytes: 10 });
      expect(found).toMatchObject({ totalBytes: 1_000 });
      expect(found?.bytes.length).toBe(10);
    });

    test('a write keeps mode and inode, and goes through links', async () => {
      await sh(
        'mkdir -p f/d; echo 1 >f/d/run; chmod 755 f/d/run; echo 2 >f/secret; chmod 600 f/secret; ln -sf d/run f/ln; ln -f f/d/run f/hard',
      );
      expect(await write('f/ln', 'new')).toEqual({
        created: false,
        realPath: `${subject.workspace.root}/f/d/run`,
      });
      await write('f/secret', 'hush');
      expect(await subject.workspace.stat('f/ln')).toMatchObject({
        kind: 'symlink',
        target: `${subject.workspace.root}/f/d/run`,
      });
      expect(await subject.workspace.stat('f/d/run')).toEqual({
        kind: 'file',
        size: 3,
        mode: 0o755,
      });
      expect(await subject.workspace.stat('f/secret')).toEqual({
        kind: 'file',
        size: 4,
        mode: 0o600,
      });
      expect(await read('f/hard')).toBe('new');
    });

    test('each edit of a file has a later second, as bytecode needs', async () => {
      const times: number[] = [];
      for (const text of ['x = 1', 'x = 2', 'x = 3', 'x = 4']) {
        await write('same.py', text);
        const { stdout } = await sh('cat same.py; stat -c " @%Y" same.py');
        const [shown, time] = bytesOf(stdout.head).split(' @');
        expect(shown).toBe(text);
        times.push(Number(time));
      }
      expect(new Set(times).size).toBe(times.length);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    });

    test('W05 odd paths are names, never code, and stay inside', async () => {
      const names = [
        '$(touch pwned)',
        '`id`',
        'quote \' and " two',
        '-rf',
        'a\nb',
        ' ',
        '*',
        'ü€',
        '~x',
        '\\',
      ];
      for (const name of names) {
        expect(await write(`odd/${name}`, name)).toMatchObject({ created: true });
        expect(await read(`odd/${name}`)).toBe(Buffer.from(name, 'latin1').toString('latin1'));
      }
      const listed = await subject.workspace.list('odd', { maxEntries: 100 });
      expect(listed?.entries.map((entry) => entry.path).toSorted()).toEqual(names.toSorted());
      expect(await subject.workspace.stat('pwned')).toBeUndefined();
      expect(await subject.workspace.stat('odd/pwned')).toBeUndefined();
    });

    test('W05 `..`, `~`, NUL, empty and endless paths', async () => {
      await write('up/a/b', 'deep');
      expect(await read('up/a/../a/b')).toBe('deep');
      expect(await subject.workspace.readFile('../../../../etc/hostname')).toMatchObject({
        realPath: '/etc/hostname',
      });
      expect(await write('~/in-home', 'h')).toMatchObject({ realPath: '/home/agent/in-home' });
      expect(await read('/home/agent/in-home')).toBe('h');
      for (const path of ['', 'a\0b', `${'d/'.repeat(3_000)}x`]) {
        await expect(subject.workspace.readFile(path)).rejects.toMatchObject({
          code: 'workspace_path',
        });
        await expect(write(path, '')).rejects.toMatchObject({ code: 'workspace_path' });
      }
    });

    test('W05 a link that leads out of the repository stays inside the workspace', async () => {
      await sh('ln -sf /tmp/target out-link');
      expect(await write('out-link', 'x')).toEqual({ created: true, realPath: '/tmp/target' });
      expect(await read('/tmp/target')).toBe('x');
    });

    test('what cannot be read or written is refused with the reason, and the next call works', async () => {
      await sh(
        'mkdir -p no; mkfifo no/pipe; ln -s loop no/loop; echo x >no/ro; chmod 444 no/ro; echo x >no/wo; chmod 222 no/wo',
      );
      const refusals = [
        [() => subject.workspace.readFile('no'), /is a folder/],
        [() => subject.workspace.readFile('no/pipe'), /pipe, socket or device/],
        [() => subject.workspace.readFile('no/wo'), /permission/],
        [() => write('no', 'x'), /is a folder/],
        [() => write('no/', 'x'), /is a folder/],
        [() => write('no/pipe', 'x'), /pipe, socket or device/],
        [() => write('no/ro', 'x'.repeat(100_000)), /permission/],
        [() => write('no/ro/below', 'x'), /not a folder/],
        [() => write('/etc/hostname2', 'x'), /permission/],
        [() => write('/proc/new/file', 'x'), /cannot be made|permission/],
        [() => write('no/loop', 'x'), /link that leads nowhere/],
      ] as const;
      for (const [attempt, reason] of refusals) {
        const error: unknown = await attempt().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          code: 'workspace_path',
          message: expect.stringMatching(reason),
        });
      }
      expect(await write('no/fine', 'ok')).toMatchObject({ created: true });
      expect(await read('no/fine')).toBe('ok');
    });

    test('a missing file or folder is undefined', async () => {
      expect(await subject.workspace.readFile('not/there')).toBeUndefined();
      expect(await subject.workspace.stat('not/there')).toBeUndefined();
      expect(await subject.workspace.list('not/there', { maxEntries: 5 })).toBeUndefined();
    });

    test('a write that does not fit leaves the old content', async () => {
      const workspace = await subject.maker.open({ limits: { diskBytes: 8 * 2 ** 20 } });
      await workspace.writeFile('kept', Buffer.from('old'));
      const big = Buffer.alloc(9 * 2 ** 20, 1);
      await expect(workspace.writeFile('kept', big)).rejects.toMatchObject({
        code: 'workspace_path',
      });
      await expect(workspace.writeFile('new', big)).rejects.toMatchObject({
        code: 'workspace_path',
      });
      expect(bytesOf((await workspace.readFile('kept'))?.bytes ?? Buffer.alloc(0))).toBe('old');
      expect(await workspace.stat('new')).toBeUndefined();
      await workspace.close();
    });

    test('a listing skips .git, follows no links, and stops where it is told', async () => {
      await sh(
        'mkdir -p l/.git/x l/sub/.git l/sub/deep; echo 1 >l/.git/x/y; echo 2 >l/sub/deep/f; ln -s /etc l/sub/etc; mkfifo l/p',
      );
      const whole = await subject.workspace.list('l', { maxEntries: 100 });
      expect(whole?.complete).toBe(true);
      expect(whole?.entries.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual([
        'file sub/deep/f',
        'folder sub',
        'folder sub/deep',
        'other p',
        'symlink sub/etc',
      ]);
      const cut = await subject.workspace.list('l', { maxEntries: 2 });
      expect(cut).toMatchObject({ complete: false });
      expect(cut?.entries.length).toBe(2);
    });

    test('a read while a command runs does not wait for it', async () => {
      await write('f/now', 'n');
      const running = sh('sleep 1.5');
      const begun = performance.now();
      expect(await read('f/now')).toBe('n');
      expect(performance.now() - begun).toBeLessThan(1_000);
      await running;
    });
  });
}
