import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLongQuery, type LongQuery } from './long-query.ts';

const UNTIL = { timeout: 10_000, interval: 10 };

let folder: string;
let query: LongQuery | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-query-'));
});
afterEach(async () => {
  await query?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a shell script that notes each of its starts. */
function start(script: string, silenceMs?: number): { lines: string[]; starts: () => number } {
  const lines: string[] = [];
  const notes = path.join(folder, 'starts');
  query = startLongQuery({
    program: '/bin/sh',
    args: ['-c', `echo x >> '${notes}'; ${script}`],
    env: { PATH: process.env['PATH'] ?? '' },
    onLine: (line) => void lines.push(line),
    restartAfterMs: [1],
    ...(silenceMs !== undefined && { silenceMs }),
  });
  const starts = (): number => {
    try {
      return readFileSync(notes, 'utf8').length / 2;
    } catch {
      return 0;
    }
  };
  return { lines, starts };
}

test('one that says nothing for too long hangs and is started again; one that talks is not', async () => {
  const silent = start('echo once; exec sleep 600', 100);
  await vi.waitFor(() => expect(silent.starts()).toBeGreaterThanOrEqual(3), UNTIL);
  await query?.stop();
  expect(silent.lines.slice(0, 2)).toEqual(['once', 'once']);
  rmSync(path.join(folder, 'starts'));
  const talking = start('while :; do echo on; sleep 0.01; done', 2000);
  await vi.waitFor(() => expect(talking.lines.length).toBeGreaterThan(20), UNTIL);
  expect(talking.starts()).toBe(1);
});

test('what it prints on stderr is heard as well, and a last line without an end', async () => {
  const { lines } = start('echo out; echo err >&2; printf last;', 5000);
  await vi.waitFor(() => expect(lines.slice(0, 3)).toEqual(['out', 'err', 'last']), UNTIL);
});

test('a program that cannot be started is tried again, and stop ends that', async () => {
  const lines: string[] = [];
  const program = path.join(folder, 'missing');
  const restartAfterMs = [1];
  query = startLongQuery({
    ...{ program, args: [], env: {}, restartAfterMs },
    onLine: (line) => void lines.push(line),
  });
  await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(2), UNTIL);
  expect(lines[0]).toContain('not found');
  await query.stop();
  const said = lines.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lines).toHaveLength(said);
});
