import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureServer } from './measure.ts';

const MIB = 1024 ** 2;
const GPU = 'GPU-8f9c5a4e-1111-2222-3333-444455556666';
const own = [process.pid];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vivarium-measure-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in for nvidia-smi, since there is no GPU here: it books memory for these processes. */
function driver(rows: [pid: number, mib: number][]): { PATH: string } {
  const file = path.join(folder, 'nvidia-smi');
  const lines = rows.map(([pid, mib]) => `${GPU}, ${pid}, ${mib}\\n`).join('');
  writeFileSync(
    file,
    `#!/bin/sh\ncase $1 in --query-gpu=*) ;; *) printf '${lines}' ;; esac\nexec sleep 600\n`,
  );
  chmodSync(file, 0o700);
  return { PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` };
}

test('on the processor it is the share of main memory', async () => {
  const bytes = await measureServer({ PATH: folder }, own, { device: 'cpu' });
  const { rss } = process.memoryUsage();
  expect(bytes).toBeGreaterThan(rss / 4);
  expect(bytes).toBeLessThan(rss * 1.2);
});

test('on a GPU it is what the driver books for these processes, and no others', async () => {
  const env = driver([
    [process.pid, 20_480],
    [1, 3_000],
  ]);
  expect(await measureServer(env, own, { device: 'gpu' })).toBe(20_480 * MIB);
});

test('split over both it is the sum', async () => {
  const env = driver([[process.pid, 20_480]]);
  const bytes = (await measureServer(env, own, { device: 'split' })) ?? 0;
  expect(bytes).toBeGreaterThan(20_480 * MIB + 10 * MIB);
});

test('a driver that does not know the processes leaves it unknown', async () => {
  const env = driver([[1, 3_000]]);
  expect(await measureServer(env, own, { device: 'gpu' }, 300)).toBeNull();
});
