import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBoundedLog, type BoundedLog } from './bounded-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(options: { fileBytes?: number; secrets?: string[] } = {}): BoundedLog {
  const file = join(folder, 'logs', 'server.log');
  return openBoundedLog({ file, fileBytes: 10_000, files: 5, ...options });
}

describe('a bounded log', () => {
  it('shows neither colours nor control characters nor keys', () => {
    const log = open({ secrets: ['the-key'] });
    expect(log.add('\u001b[31mred\u001b[0m\u0007 Bearer the-key\u0000  ')).toBe('red Bearer ***');
    log.close();
    expect(readFileSync(log.file, 'utf8')).toBe('red Bearer ***\n');
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
  });

  it('keeps five files of a bounded size, the youngest without a number', () => {
    const log = open();
    for (let count = 0; count < 10_000; count += 1) log.add(`line ${count} ${'y'.repeat(40)}`);
    log.close();
    const names = readdirSync(join(folder, 'logs')).toSorted();
    expect(names).toEqual(['server.log', ...[1, 2, 3, 4].map((n) => `server.log.${n}`)]);
    for (const name of names) {
      expect(statSync(join(folder, 'logs', name)).size).toBeLessThanOrEqual(10_000);
    }
    const text = ['server.log.1', 'server.log'].map((name) =>
      readFileSync(join(folder, 'logs', name), 'utf8'),
    );
    const counts = text
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[1]));
    // None is lost between two files.
    expect(counts.at(-1)).toBe(9_999);
    expect(counts).toEqual(counts.map((_, index) => (counts[0] ?? 0) + index));
  });

  it('S03 keeps the first error and what came with it, however much follows', () => {
    const log = open();
    log.add('INFO fine');
    log.add('Traceback (most recent call last):');
    log.add('  File "x.py", line 1');
    log.add('torch.OutOfMemoryError: CUDA out of memory');
    for (let count = 0; count < 3_000; count += 1) log.add(`RuntimeError: follows ${count}`);
    const lines = log.lines();
    expect(lines.length).toBeLessThanOrEqual(2_120);
    expect(lines.slice(0, 3)).toEqual([
      'Traceback (most recent call last):',
      '  File "x.py", line 1',
      'torch.OutOfMemoryError: CUDA out of memory',
    ]);
    expect(lines.at(-1)).toBe('RuntimeError: follows 2999');
    expect(log.cause()).toBe('Traceback (most recent call last):');
    log.restart();
    expect([log.lines(), log.cause()]).toEqual([[], '']);
    log.close();
  });

  it('holds a megabyte at most in memory', () => {
    const log = open();
    for (let count = 0; count < 1_000; count += 1) log.add('z'.repeat(4_000));
    expect(log.lines().join('').length).toBeLessThanOrEqual(1024 * 1024);
    log.close();
  });

  it('whose folder cannot be made disturbs nobody', () => {
    const log = openBoundedLog({ file: '/proc/nowhere/x.log', fileBytes: 10, files: 2 });
    expect(log.add('line')).toBe('line');
    for (let count = 0; count < 10; count += 1) log.add('more');
    log.close();
    expect(log.lines()).toHaveLength(11);
  });
});
