import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from './open-leaf.ts';
import { openLeaf } from './open-leaf.ts';

/** Inputs of the case list as they are written there, through the tools in a real workspace. */
let leaf: Leaf;
beforeAll(async () => {
  leaf = await openLeaf();
});
afterAll(() => leaf.close());

const MIB = 2 ** 20;
const bash = (command: string, more: Record<string, unknown> = {}, on: Leaf = leaf) =>
  on.call('Bash', { command, ...more });

describe('files', () => {
  it.each([
    [
      'gbk.py',
      Buffer.from('x = 1  # \xb1\xe0\xc2\xeb\xb2\xe2\xca\xd4 \xd6\xd0\xce\xc4\n', 'latin1'),
    ],
    ['sjis.py', Buffer.from('x = 1\ny = "\x93\xfa\x96{\x8c\xea\x82\xcc\x95\x5c"\n', 'latin1')],
    ['utf16le.txt', Buffer.from('\ufeffx = 1\r\ny = "é"\r\n', 'utf16le')],
    ['utf16be.txt', Buffer.from('\ufeffx = 1\r\ny = "é"\r\n', 'utf16le').swap16()],
    ['bom.txt', Buffer.from('\ufeffx = 1\ny = "é"\n')],
  ])('T04 %s: only the edited character changes', async (file, bytes) => {
    await leaf.put(file, bytes);
    const edit = { file_path: file, old_string: 'x = 1', new_string: 'x = 2' };
    expect((await leaf.call('Edit', edit)).text).toBe(`Edited ${file} (1 replacement).`);
    const wanted = Buffer.from(bytes);
    wanted[wanted.indexOf('1')] = '2'.charCodeAt(0);
    expect((await leaf.bytes(file)).toString('latin1')).toBe(wanted.toString('latin1'));
  });

  it('T15 limit and replace_all as strings do what numbers and booleans do', async () => {
    await leaf.put('t15.txt', 'a\na\nb\n'.repeat(10));
    const read = (await leaf.call('Read', { path: 't15.txt', limit: '20' })).text;
    expect(read.split('\n')).toHaveLength(21);
    const edit = { path: 't15.txt', old_string: 'a', new_string: 'c', replace_all: 'true' };
    expect((await leaf.call('Edit', edit)).text).toBe('Edited t15.txt (20 replacements).');
    const none = { ...edit, old_string: 'c', replace_all: 'false' };
    expect((await leaf.call('Edit', none)).text).toMatch(/^ValueError: .* matched 20 times;/);
  });

  it('T17 every line has the number that grep -n and sed -n give it', async () => {
    const content = 'a\f1\u2028x\nb\rb\r\n\u0085c\v\n\n\fd\x1c\x1d\u2029\re\nlast';
    await leaf.put('t17.txt', content);
    const shown = (await leaf.call('Read', { file_path: 't17.txt' })).text.split('\n').slice(1);
    const grep = (await leaf.sh("grep -a -n '' t17.txt")).split('\n').slice(0, -1);
    expect(shown.map((line) => line.replace(/^(\d+)\. /, '$1:'))).toEqual(
      grep.map((line) => line.replace(/\r$/, '')),
    );
    for (const [at, line] of shown.entries()) {
      const sed = await leaf.sh(`sed -n ${at + 1}p t17.txt`);
      expect(`${at + 1}. ${sed.replace(/\r?\n?$/, '')}`).toBe(line);
    }
  });
});

describe('commands', () => {
  it('B01 what a command leaves in the background ends with the attempt', async () => {
    const own = await openLeaf();
    expect((await bash('sleep 30.731 & echo ok', {}, own)).text).toBe(
      'Exit code: 0\nSTDOUT:\nok\n\nSTDERR:\n',
    );
    // The answer may come before the child that the shell made has become `sleep`.
    await expect.poll(() => hostProcesses('sleep 30.731'), { timeout: 10_000 }).toBe(1);
    await own.close();
    expect(hostProcesses('sleep 30.731')).toBe(0);
  });

  it('B02 each ends with its own answer, none with a timeout', async () => {
    await leaf.sh(
      'git init -q b02 && cd b02 && git config user.email a@b && git config user.name a && ' +
        'echo x > f && git add f',
    );
    const ends = async (command: string): Promise<string> =>
      (await bash(`cd b02 && ${command}`, { timeout: 20 })).text;
    expect(await ends('GIT_EDITOR= git commit')).toMatch(
      /^Exit code: 1\n[^]*(empty commit message|EDITOR|editor)/,
    );
    expect(await ends('git commit')).toMatch(/^Exit code: 1\n[^]*editor/);
    expect(await ends('vi')).toMatch(/^Exit code: (127|1)\n/);
    expect(await ends('less f')).toMatch(/^Exit code: (127|0)\n/);
    expect(await ends('python3')).toBe('Exit code: 0\nSTDOUT:\n\nSTDERR:\n');
    expect(await ends('read x')).toBe('Exit code: 1\nSTDOUT:\n\nSTDERR:\n');
  });

  it('B03 a command that detached itself is gone 1 s after its timeout', async () => {
    const begun = performance.now();
    const { text } = await bash("setsid sh -c 'sleep 300.733' & disown; sleep 300.734", {
      timeout: 2,
    });
    expect(performance.now() - begun).toBeLessThan(3_500);
    expect(text).toBe('Timed out after 2.0s\nSTDOUT:\n\nSTDERR:\n');
    await delay(1_000);
    expect(hostProcesses('sleep 300.73')).toBe(0);
  });

  it.each(['yes', 'cat /dev/urandom'])(
    'B04 %s: bounded memory here and there, true byte count',
    async (command) => {
      const before = process.memoryUsage().rss;
      const { text, run } = await bash(command, { timeout: 5 });
      expect(text.startsWith('Timed out after 5.0s\nSTDOUT:\n')).toBe(true);
      const total = run?.stdout.totalBytes ?? 0;
      expect(total).toBeGreaterThan(10 * MIB);
      expect(text).toContain(` characters of ${total} bytes]`);
      expect(Array.from(text).length).toBeLessThanOrEqual(30_000);
      expect([run?.stdout.head.length, run?.stdout.tail.length]).toEqual([131_072, 131_072]);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
      expect((await leaf.workspace.usage()).memoryBytes).toBeLessThan(256 * MIB);
    },
  );

  it('B05 a real test run that prints 2 MB: its summary is what the model sees', async () => {
    await leaf.put(
      'b05/test_loud.py',
      'def test_loud():\n    print("x" * 99 + "\\n", end="")\n' +
        '    for n in range(20_000):\n        print(n, "y" * 100)\n    assert 1 == 2\n',
    );
    const { text, run } = await bash('cd b05 && python3 -m pytest -p no:cacheprovider', {
      timeout: 60,
    });
    expect(run?.stdout.totalBytes).toBeGreaterThan(2_000_000);
    expect(text.startsWith('Exit code: 1\nSTDOUT:\n===')).toBe(true);
    expect(text).toMatch(/FAILED test_loud\.py::test_loud - assert 1 == 2\n=+ 1 failed in .*=\n/);
  });

  it('B06 colours, progress bars and a forged marker change neither exit code nor order', async () => {
    const marker = `${'0123456789abcdef'.repeat(2)} 0 0 0`;
    const { text, run } = await bash(
      `printf '\\033[1mB\\033[0m 1%%\\r 2%%\\r\\n${marker}\\n\\377\\n'; echo '${marker}' >&2; exit 9`,
    );
    expect(text).toBe(
      `Exit code: 9\nSTDOUT:\n\x1b[1mB\x1b[0m 1%\n 2%\n${marker}\n\ufffd\n\nSTDERR:\n${marker}\n`,
    );
    expect(Buffer.from(run?.stdout.head ?? []).toString('latin1')).toBe(
      `\x1b[1mB\x1b[0m 1%\r 2%\r\n${marker}\n\xff\n`,
    );
  });
});

describe('B12 limits', () => {
  it('B12 a fork bomb, a 10 GB file and a memory hog are stopped; the neighbour is unharmed', async () => {
    const wild = await openLeaf();
    const heartbeat = bash('for i in $(seq 40); do echo $i; sleep 0.2; done', { timeout: 60 });
    const started = performance.now();
    const bomb = await bash('b() { b | b & }; b; sleep 2', { timeout: 4 }, wild);
    expect(bomb.run?.timedOut === true || bomb.text.includes('Resource temporarily')).toBe(true);
    const big = await bash('dd if=/dev/zero of=big bs=1M count=10240; rm -f big', {}, wild);
    expect(big.text).toMatch(/No space left on device/);
    const tmp = await bash(
      'dd if=/dev/zero of=/tmp/big bs=1M count=10240; rm -f /tmp/big',
      {},
      wild,
    );
    expect(tmp.text).toMatch(/No space left on device|Out of memory/);
    const hog = await bash('python3 -c "x = bytearray(2 * 10**9)"', {}, wild);
    expect(hog.text).toContain('[Out of memory: the kernel ended a process');
    const files = await bash('python3 -c "\nfor n in range(30000): open(str(n), \'w\')"', {}, wild);
    expect(files.text).toContain('No space left on device');
    expect((await bash('rm -rf *; echo usable', {}, wild)).text).toContain('STDOUT:\nusable\n');
    expect((await heartbeat).text).toContain('\n39\n40\n');
    expect(performance.now() - started).toBeLessThan(90_000);
    await wild.close();
  }, 120_000);
});

/** Processes of this machine, containers included, whose command line holds the words. */
function hostProcesses(words: string): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return line.startsWith(words);
    } catch {
      // It ended while we looked.
      return false;
    }
  }).length;
}
