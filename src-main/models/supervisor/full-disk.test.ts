import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VivariumError } from '../../lib/index.ts';
import { createSupervisor, requestKeep, isKeepRequested, startKeeper } from './index.ts';
import { takeLock } from './lock.ts';
import { temporaryHome, testSupervisor } from './testing/home.ts';
import { standInEngine } from './testing/stand-in-engine.ts';
import { startRequest } from './testing/start-request.ts';

/** A home on a disk of its own of 1 MB, and a way to fill it to the last byte. */
function smallHome(): { home: string; fill(): void; free(): void } {
  const home = join(temporaryHome(), 'disk');
  mkdirSync(home);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', home]);
  expect([mounted.status, mounted.stderr.toString()]).toEqual([0, '']);
  onTestFinished(() => void spawnSync('umount', ['-l', home]));
  const ballast = join(home, 'ballast');
  const fill = (): void => {
    expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 21))).toThrow('ENOSPC');
  };
  return { home, fill, free: () => rmSync(ballast) };
}

const FULL = {
  code: 'disk_full',
  next: 'Free some space (`vivarium clean` removes leftovers of dead runs) and try again.',
};

// Making a small disk takes root, as set-up does.
describe.skipIf(process.getuid?.() !== 0)('a full disk', () => {
  it('S06 a running server can be stopped and kept by another process', async () => {
    const { home, fill } = smallHome();
    const first = testSupervisor(home);
    await first.start(startRequest(standInEngine()));
    fill();
    requestKeep(home, 'toad');
    expect(isKeepRequested(home, 'toad')).toBe(true);
    // Another supervisor knows the server by its files only, as another process does.
    const second = createSupervisor({ home, env: process.env });
    expect(await second.stop('toad')).toMatchObject({ state: 'stopped', pid: null, owner: null });
    expect(await first.status('toad')).toMatchObject({ state: 'stopped', pid: null, owner: null });
  });

  it('a start says so and leaves nothing', async () => {
    const { home, fill, free } = smallHome();
    await testSupervisor(home)
      .start(startRequest(standInEngine()))
      .then((server) => server.stop());
    const lock = join(home, 'servers', 'toad', 'lock');
    const before = readdirSync(lock);
    fill();
    const request = startRequest(standInEngine());
    await expect(testSupervisor(home).start(request)).rejects.toMatchObject(FULL);
    const keeper = startKeeper({ home, name: 'toad', argv: [process.execPath], env: {} });
    await expect(keeper).rejects.toMatchObject(FULL);
    expect(() => takeLock(lock, '')).toThrow(VivariumError);
    free();
    expect(readdirSync(lock)).toEqual(before);
    expect(
      readdirSync(join(home, 'servers', 'toad')).filter((name) => /report/.test(name)),
    ).toEqual([]);
  });
});
