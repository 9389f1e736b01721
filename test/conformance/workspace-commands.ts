import { describe, expect, test } from 'vitest';
import { bytesOf, textOf } from '../support/workspaces.ts';
import type { Subject } from './subject.ts';

const MIB = 2 ** 20;

/** What a command prints and how it ends. */
export function commandCases(subject: Subject): void {
  const run = (command: string, timeoutMs = 20_000) =>
    subject.workspace.run({ command, timeoutMs });
  const sh = (command: string) =>
    subject.workspace.run({ command, shell: 'sh', timeoutMs: 20_000 });

  describe('commands', () => {
    test('a command runs in the repository as the plain user, with its own environment', async () => {
      const result = await run('pwd; id -u; echo "$HOME $LANG $TERM $PAGER"');
      expect(textOf(result.stdout)).toBe(
        `${subject.workspace.root}\n1000\n/home/agent C.UTF-8 dumb cat\n`,
      );
      expect(result).toMatchObject({
        exitCode: 0,
        signal: null,
        timedOut: false,
        cancelled: false,
        outOfMemory: false,
        notes: [],
      });
    });

    test('working folder and variables are taken as they are', async () => {
      await run('mkdir -p "it\'s a folder"');
      const result = await subject.workspace.run({
        command: 'pwd; printf %s "$ODD"',
        cwd: "it's a folder",
        env: { ODD: '$(id) "x" \'y\'\nz' },
        timeoutMs: 20_000,
      });
      expect(textOf(result.stdout)).toBe(
        `${subject.workspace.root}/it's a folder\n$(id) "x" 'y'\nz`,
      );
      const missing = subject.workspace.run({ command: 'pwd', cwd: 'gone', timeoutMs: 20_000 });
      await expect(missing).rejects.toMatchObject({ code: 'workspace_path' });
    });

    test('every byte from 1 to 255 passes through a command and back', async () => {
      const text = String.fromCharCode(...Array.from({ length: 0xff }, (_, at) => at + 1), 0x20ac);
      const result = await sh(`cat <<'END'\n${text}\nEND`);
      expect(textOf(result.stdout)).toBe(`${text}\n`);
    });

    test('a script longer than one argument may be is run all the same', async () => {
      const filler = `: ${'x'.repeat(1_000)}\n`.repeat(300);
      expect(textOf((await run(`${filler}echo done`)).stdout)).toBe('done\n');
      expect(textOf((await sh(`${filler}echo done`)).stdout)).toBe('done\n');
    });

    test('B01 a child in the background does not hold the command, and lives on', async () => {
      const begun = performance.now();
      const result = await run('sleep 300 & echo $! >child; echo ok');
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(textOf(result.stdout)).toBe('ok\n');
      expect((await run('kill -0 $(cat child) && kill -9 $(cat child)')).exitCode).toBe(0);
    });

    test('B01 late output of a child in the background never shows in a later command', async () => {
      await run('(sleep 0.4; echo stale; echo stale >&2) & echo first');
      const results = [];
      for (let at = 0; at < 3; at += 1) results.push(await run('echo second; sleep 0.3'));
      expect(results.map((result) => textOf(result.stdout))).toEqual(
        Array.from({ length: 3 }, () => 'second\n'),
      );
      expect(results.map((result) => textOf(result.stderr))).toEqual(['', '', '']);
    });

    test('B02 nothing waits for a terminal or for input', async () => {
      const results = await Promise.all([
        run('read x; echo "read ended $?"'),
        run('cat; echo "cat ended $?"'),
        run('test -t 0 || echo "no terminal"'),
      ]);
      expect(results.map((result) => textOf(result.stdout))).toEqual([
        'read ended 1\n',
        'cat ended 0\n',
        'no terminal\n',
      ]);
    });

    test('B04 the head and the tail of a flood are kept, and its true length', async () => {
      const result = await subject.workspace.run({
        command: 'echo begin; yes 0123456 | head -c 50000000; echo end',
        keepBytes: { head: 100, tail: 50 },
        timeoutMs: 60_000,
      });
      expect(result.stdout.totalBytes).toBe(50_000_010);
      expect(bytesOf(result.stdout.head)).toBe(`begin\n${'0123456\n'.repeat(12).slice(0, 94)}`);
      expect(bytesOf(result.stdout.tail).length).toBe(50);
      expect(bytesOf(result.stdout.tail).endsWith('0123456\nend\n')).toBe(true);
    });

    test('B04 an endless flood is ended by the timeout with bounded memory', async () => {
      const before = process.memoryUsage().rss;
      const result = await run('yes', 3_000);
      expect(result.timedOut).toBe(true);
      expect(result.stdout.totalBytes).toBeGreaterThan(MIB);
      expect(result.stdout.head.length).toBe(512 * 1024);
      expect(result.stdout.tail.length).toBe(512 * 1024);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
    });

    test('B06 bytes come out as they went in: NUL, invalid UTF-8, colours, no final newline', async () => {
      const result = await sh(
        String.raw`printf 'a\000b\377\033[31mred\r50%%\r' ; printf '\001\200' >&2`,
      );
      expect(bytesOf(result.stdout.head)).toBe('a\0b\xff\x1b[31mred\r50%\r');
      expect(bytesOf(result.stderr.head)).toBe('\x01\x80');
    });

    test('B06 a forged end marker is output like any other', async () => {
      const forged = `${'0123456789abcdef'.repeat(2)} 0 0 0\n`;
      const result = await sh(
        `printf '${forged.trim()}\\n'; printf '${forged.trim()}\\n' >&2; exit 5`,
      );
      expect(textOf(result.stdout)).toBe(forged);
      expect(textOf(result.stderr)).toBe(forged);
      expect(result.exitCode).toBe(5);
    });

    test('B06 the marker is not to be found in arguments, environments or files', async () => {
      const result = await sh(
        "grep -a -h -o -E '^[0-9a-f]{32}$' /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; " +
          'find /tmp /home/agent -type f 2>/dev/null | head; true',
      );
      expect(textOf(result.stdout)).toBe('');
    });

    test('B07 both streams are whole, whatever their sizes', async () => {
      const result = await sh(
        'i=0; while [ $i -lt 20000 ]; do echo "line $i" >&2; i=$((i+1)); done; echo out',
      );
      const lines = textOf(result.stderr).split('\n');
      expect(lines.length).toBe(20_001);
      expect(lines[19_999]).toBe('line 19999');
      expect(textOf(result.stdout)).toBe('out\n');
    });

    test('B08 the exit code or the signal is named', async () => {
      expect(await run('exit 3')).toMatchObject({ exitCode: 3, signal: null });
      expect(await run('exit 129')).toMatchObject({ exitCode: 129, signal: null });
      expect(await run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'KILL' });
      expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SEGV' });
      expect(await run('no-such-command-here')).toMatchObject({ exitCode: 127, signal: null });
      const syntax = await run('if then');
      expect(syntax.exitCode).toBe(2);
      expect(textOf(syntax.stderr)).toMatch(/syntax error/i);
    });

    test('a command with a NUL or a bad variable name is refused before it runs', async () => {
      await expect(run('echo \0')).rejects.toMatchObject({ code: 'workspace_failed' });
      const bad = subject.workspace.run({ command: 'true', env: { 'A=B': '' }, timeoutMs: 1_000 });
      await expect(bad).rejects.toMatchObject({ code: 'workspace_failed' });
    });
  });
}
