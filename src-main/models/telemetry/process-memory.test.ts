import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryReader } from './process-memory.ts';

const KIB = 1024;

describe('real processes', () => {
  test('the sum of what the kernel says, each second and whoever ended in between', async () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    try {
      const pid = child.pid ?? 0;
      await new Promise((resolve) => child.once('spawn', resolve));
      const pss = (of: number): number =>
        Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${of}/smaps_rollup`, 'latin1'))?.[1]) *
        KIB;
      const read = await createMemoryReader().read([pid, process.pid, 2 ** 22]);
      const expected = pss(pid) + pss(process.pid);
      expect(Math.abs((read ?? 0) / expected - 1)).toBeLessThan(0.1);
      expect(await createMemoryReader().read([])).toBeNull();
      expect(await createMemoryReader().read([2 ** 22])).toBeNull();
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('how often', () => {
  let proc: string;
  let clock: number;

  beforeEach(() => {
    proc = mkdtempSync(path.join(tmpdir(), 'vivarium-proc-'));
    clock = 0;
  });
  afterEach(() => rmSync(proc, { recursive: true, force: true }));

  function write(pid: number, residentKib: number, pssKib: number): void {
    mkdirSync(path.join(proc, String(pid)), { recursive: true });
    writeFileSync(path.join(proc, `${pid}/status`), `Name:\tx\nVmRSS:\t ${residentKib} kB\n`);
    writeFileSync(
      path.join(proc, `${pid}/smaps_rollup`),
      `0-1 ---p 00000000 00:00 0 [rollup]\nRss: ${residentKib} kB\nPss:   ${pssKib} kB\n`,
    );
  }

  /** Each reading of the clock is 5 ms after the one before: so is what a PSS costs. */
  const reader = () => createMemoryReader({ proc, now: () => (clock += 5) });

  test('a PSS is read anew when its cost allows and the process has grown or shrunk', async () => {
    const memory = reader();
    write(1, 1000, 900);
    expect(await memory.read([1])).toBe(900 * KIB);
    write(1, 2000, 1900);
    clock += 900;
    expect(await memory.read([1])).toBe(900 * KIB);
    clock += 100;
    expect(await memory.read([1])).toBe(1900 * KIB);
    // Less than a hundredth is not worth a look for a minute.
    write(1, 2010, 1000);
    clock += 50_000;
    expect(await memory.read([1])).toBe(1900 * KIB);
    clock += 10_000;
    expect(await memory.read([1])).toBe(1000 * KIB);
  });

  test('several processes share what may be spent; a new one is read at once', async () => {
    const memory = reader();
    write(1, 1000, 900);
    write(2, 1000, 100);
    expect(await memory.read([1])).toBe(900 * KIB);
    write(1, 500, 400);
    clock += 1100;
    expect(await memory.read([1, 2])).toBe(1000 * KIB);
    clock += 900;
    expect(await memory.read([1, 2])).toBe(500 * KIB);
    expect(await memory.read([2])).toBe(100 * KIB);
  });

  test('without leave to read there is no figure rather than a part; a zombie has none', async () => {
    const memory = reader();
    write(1, 1000, 900);
    mkdirSync(path.join(proc, '2/status'), { recursive: true });
    expect(await memory.read([1, 2])).toBeNull();
    mkdirSync(path.join(proc, '3'));
    writeFileSync(path.join(proc, '3/status'), 'Name:\tx\nState:\tZ (zombie)\n');
    expect(await memory.read([1, 3])).toBe(900 * KIB);
  });
});
