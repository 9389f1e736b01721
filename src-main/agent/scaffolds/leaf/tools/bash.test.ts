import { describe, expect, it } from 'vitest';
import type { CapturedOutput, RunResult } from '../../../../workspaces/index.ts';
import { formatRun } from './bash.ts';

const KEEP = 131_072;

function captured(content: string | Buffer): CapturedOutput {
  const bytes = Buffer.from(content as string);
  return {
    head: bytes.subarray(0, KEEP),
    tail:
      bytes.length > KEEP ? bytes.subarray(Math.max(KEEP, bytes.length - KEEP)) : Buffer.alloc(0),
    totalBytes: bytes.length,
  };
}

function run(
  stdout: string | Buffer,
  stderr: string | Buffer = '',
  more: Partial<RunResult> = {},
): RunResult {
  return {
    exitCode: 0,
    signal: null,
    timedOut: false,
    cancelled: false,
    outOfMemory: false,
    durationMs: 1,
    stdout: captured(stdout),
    stderr: captured(stderr),
    notes: [],
    ...more,
  };
}

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');

describe('within the limit: Leaf, byte for byte', () => {
  it.each([
    [run('ok\n'), 'Exit code: 0\nSTDOUT:\nok\n\nSTDERR:\n'],
    [run('', 'no\n', { exitCode: 1 }), 'Exit code: 1\nSTDOUT:\n\nSTDERR:\nno\n'],
    [run('a', 'b'), 'Exit code: 0\nSTDOUT:\na\nSTDERR:\nb'],
    [run('', '', { exitCode: null, signal: 'KILL' }), 'Exit code: -9\nSTDOUT:\n\nSTDERR:\n'],
    [
      run('partial\n', '', { exitCode: null, signal: 'KILL', timedOut: true }),
      'Timed out after 2.0s\nSTDOUT:\npartial\n\nSTDERR:\n',
    ],
  ])('%#', (result, text) => {
    expect(formatRun(result, 2, true)).toBe(text);
    expect(formatRun(result, 2, false)).toBe(text);
  });

  it('B06 invalid UTF-8 and NUL are replaced; carriage returns read as Python reads them', () => {
    const stdout = Buffer.from('\x1b[31mred\x1b[0m\r 10%\r100%\r\n\xff\0é\n', 'latin1');
    expect(formatRun(run(stdout), 120, true)).toBe(
      'Exit code: 0\nSTDOUT:\n\x1b[31mred\x1b[0m\n 10%\n100%\n\ufffd\ufffd\ufffd\n\nSTDERR:\n',
    );
  });

  it('exactly at the limit nothing is left out', () => {
    const frame = 'Exit code: 0\nSTDOUT:\n\nSTDERR:\n'.length;
    const full = '😀'.repeat(30_000 - frame);
    expect(formatRun(run(full), 120, true)).toBe(`Exit code: 0\nSTDOUT:\n${full}\nSTDERR:\n`);
    expect(formatRun(run(`${full}x`), 120, false)).toBe(
      `Exit code: 0\nSTDOUT:\n${full}x\nSTDERR:\n`.replace(/\n$/, '') + '\n[truncated 1 chars]',
    );
  });
});

describe('beyond the limit', () => {
  it('B05 2 MB with the summary last: status first, start and end kept, sizes stated', () => {
    const stdout = `${lines(150_000, 'test')}= 3 failed, 149997 passed =\n`;
    const text = formatRun(run(stdout, '', { exitCode: 1 }), 120, true);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.length).toBeGreaterThan(28_000);
    expect(text.startsWith('Exit code: 1\nSTDOUT:\ntest 1\ntest 2\n')).toBe(true);
    expect(text.endsWith('test 150000\n= 3 failed, 149997 passed =\n\nSTDERR:\n')).toBe(true);
    expect(text).toMatch(/\n\[truncated: shown are the first \d+ and the last \d+ characters of /);
    expect(text.includes(` characters of ${stdout.length} bytes]\n`)).toBe(true);
  });

  it('B07 100,000 lines of stderr and one of stdout: both are seen', () => {
    const text = formatRun(run('the one\n', lines(100_000, 'warning')), 120, true);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toContain('STDOUT:\nthe one\n\nSTDERR:\nwarning 1\n');
    expect(text.endsWith('warning 100000\n')).toBe(true);
  });

  it('B07 when both are long, each has its share', () => {
    const text = formatRun(run(lines(100_000, 'out'), lines(100_000, 'err')), 120, true);
    expect(text.length).toBeLessThanOrEqual(30_000);
    const [stdout = '', stderr = ''] = text.split('\nSTDERR:\n');
    expect(stdout.length).toBeGreaterThan(19_000);
    expect(stderr.length).toBeGreaterThan(9_500);
    expect(stdout).toContain('out 100000');
    expect(stderr).toContain('err 1\n');
    expect(stderr).toContain('err 100000');
  });

  it('B04 the true byte count of an endless stream is stated', () => {
    const endless: CapturedOutput = {
      head: Buffer.from('y\n'.repeat(KEEP / 2)),
      tail: Buffer.from('y\n'.repeat(KEEP / 2)),
      totalBytes: 5_000_000_000,
    };
    const text = formatRun(
      run('', '', { stdout: endless, timedOut: true, exitCode: null }),
      5,
      true,
    );
    expect(text.startsWith('Timed out after 5.0s\nSTDOUT:\ny\ny\n')).toBe(true);
    expect(text).toContain('characters of 5000000000 bytes]');
    expect(text.length).toBeLessThanOrEqual(30_000);
  });

  it('no half characters where the capture cut', () => {
    const text = formatRun(run('é😀'.repeat(60_000)), 120, true);
    expect(text).not.toContain('\ufffd');
    expect(text.isWellFormed()).toBe(true);
  });

  it('without help only the head is kept, as Leaf does', () => {
    const text = formatRun(run('a'.repeat(40_000), 'err'), 120, false);
    const frame = 'Exit code: 0\nSTDOUT:\n';
    expect(text).toBe(
      `${frame}${'a'.repeat(30_000 - frame.length)}\n[truncated ${40_000 - 30_000 + frame.length + '\nSTDERR:\nerr'.length} chars]`,
    );
  });
});
