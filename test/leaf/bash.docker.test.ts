import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from './open-leaf.ts';
import { openLeaf } from './open-leaf.ts';

let leaf: Leaf;
beforeAll(async () => {
  leaf = await openLeaf();
});
afterAll(() => leaf.close());

const bash = (command: string, more: Record<string, unknown> = {}) =>
  leaf.call('Bash', { command, ...more });

describe('Bash in a real workspace', () => {
  it('runs in the repository, each time afresh', async () => {
    await bash('cd /tmp; export X=1');
    expect((await bash('pwd; echo "[$X]"')).text).toBe(
      `Exit code: 0\nSTDOUT:\n${leaf.workspace.root}\n[]\n\nSTDERR:\n`,
    );
  });

  it('B02 nothing waits for a terminal', async () => {
    await leaf.sh(
      'git init -q g && cd g && git config user.email a@b && git config user.name a && touch f && git add f',
    );
    for (const command of [
      'cd g && GIT_EDITOR= git commit',
      'python3',
      'read x',
      'less /etc/hostname',
      'vi',
    ]) {
      const { run } = await bash(command, { timeout: 20 });
      expect([command, run?.timedOut]).toEqual([command, false]);
    }
  });

  it('T15 timeouts in seconds, milliseconds and as text', async () => {
    for (const more of [
      { timeout: 1 },
      { timeout: '1' },
      { timeout: 1001 },
      { timeout_ms: 1000 },
    ]) {
      const { text, isError } = await bash('echo early; sleep 20', more);
      expect(text).toBe('Timed out after 1.0s\nSTDOUT:\nearly\n\nSTDERR:\n');
      expect(isError).toBe(true);
    }
    expect((await bash('true', { timeout: 'soon' })).text).toBe(
      "ValueError: could not convert string to float: 'soon'",
    );
  });

  it('B04 B05 a flood: bounded, start and end, true count, kept bytes', async () => {
    const { text, run } = await bash('seq 200000; echo LAST', { timeout: 30 });
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.startsWith('Exit code: 0\nSTDOUT:\n1\n2\n3\n')).toBe(true);
    expect(text.endsWith('200000\nLAST\n\nSTDERR:\n')).toBe(true);
    expect(text.includes(' characters of 1288900 bytes]')).toBe(true);
    expect(run?.stdout.totalBytes).toBe(1_288_900);
    expect((run?.stdout.head.length ?? 0) + (run?.stdout.tail.length ?? 0)).toBe(262_144);
  });

  it('B06 bytes that are no text', async () => {
    const { text, run } = await bash("printf 'a\\377\\0b\\r100%%\\r\\n'; exit 7");
    expect(text).toBe('Exit code: 7\nSTDOUT:\na\ufffd\ufffdb\n100%\n\nSTDERR:\n');
    expect(Buffer.from(run?.stdout.head ?? []).toString('latin1')).toBe('a\xff\0b\r100%\r\n');
  });

  it('B07 a long stderr leaves room for stdout', async () => {
    const { text } = await bash('seq 100000 >&2; echo the one');
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toContain('STDOUT:\nthe one\n\nSTDERR:\n1\n2\n');
    expect(text.endsWith('\n100000\n')).toBe(true);
  });

  it('B08 exit codes and signals are named', async () => {
    expect((await bash('exit 3')).text).toBe('Exit code: 3\nSTDOUT:\n\nSTDERR:\n');
    expect((await bash('kill -9 $$')).text).toBe(
      'Exit code: -9\nSTDOUT:\n\nSTDERR:\n[A process was ended by signal KILL.]',
    );
    expect((await bash('nosuchcommand')).text).toMatch(
      /^Exit code: 127\nSTDOUT:\n\nSTDERR:\n.*nosuchcommand: command not found\n$/,
    );
    expect((await bash('if then')).text).toMatch(
      /^Exit code: 2\nSTDOUT:\n\nSTDERR:\n.*syntax error/,
    );
  });

  it('B12 out of memory is called so', async () => {
    const { text, isError } = await bash('python3 -c "x = bytearray(2 * 10**9)"', { timeout: 60 });
    expect(text).toContain('[Out of memory: the kernel ended a process');
    expect(isError).toBe(true);
  });

  it('a cancel is thrown, not shown to the model', async () => {
    const { createLeafScaffold } = await import('../../src-main/agent/index.ts');
    const stop = new AbortController();
    const running = createLeafScaffold().execute(
      { id: 'x', name: 'Bash', arguments: { command: 'sleep 30' } },
      leaf.workspace,
      stop.signal,
    );
    setTimeout(() => stop.abort(new Error('stopped by the user')), 300);
    await expect(running).rejects.toThrow('stopped by the user');
  });
});
