import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockHolder, takeLock } from './lock.ts';
import { temporaryHome } from './testing/home.ts';

const TAKER = fileURLToPath(new URL('./testing/take-lock.ts', import.meta.url));
const RACERS = 8;

interface Racer {
  process: ChildProcess;
  won: boolean;
}

/** Real processes that try at the same moment. */
async function race(folder: string): Promise<Racer[]> {
  const at = String(Date.now() + 1_500);
  const racers = Array.from({ length: RACERS }, () => {
    const child = spawn(process.execPath, [TAKER, folder, at], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return new Promise<Racer>((resolve) => {
      createInterface({ input: child.stdout }).once('line', (line) => {
        resolve({ process: child, won: line === 'yes' });
      });
    });
  });
  return Promise.all(racers);
}

function killAll(racers: Racer[]): Promise<unknown> {
  return Promise.all(
    racers.map(({ process: child }) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return gone;
    }),
  );
}

describe('a lock', () => {
  it('S06 of eight processes exactly one gets it, also from a dead owner', async () => {
    const folder = join(temporaryHome(), 'gpu-x.lock');
    for (let round = 0; round < 3; round += 1) {
      const racers = await race(folder);
      const winners = racers.filter(({ won }) => won);
      expect(winners).toHaveLength(1);
      expect(lockHolder(folder)?.identity.split('.')[0]).toBe(String(winners[0]?.process.pid));
      await killAll(racers);
      expect(lockHolder(folder)).toBeNull();
    }
  });

  it('is taken once and, released, taken again; nobody leaves litter', () => {
    const folder = join(temporaryHome(), 'x.lock');
    for (let turn = 0; turn < 20; turn += 1) {
      const { lock } = takeLock(folder, 'first');
      expect(lock).not.toBeNull();
      expect(takeLock(folder, 'second')).toMatchObject({ lock: null, holder: { note: 'first' } });
      lock?.release();
      lock?.release();
      expect(lockHolder(folder)).toBeNull();
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(8);
    expect(readdirSync(folder).some((name) => name.startsWith('.'))).toBe(false);
  });

  it('is no folder until it is asked for', () => {
    const folder = join(temporaryHome(), 'x.lock');
    expect(lockHolder(folder)).toBeNull();
    expect(existsSync(folder)).toBe(false);
  });
});
