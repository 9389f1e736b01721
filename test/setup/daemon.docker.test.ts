import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DaemonPlace } from '../../scripts/setup/daemon.mjs';
import { ensureDaemon } from '../../scripts/setup/daemon.mjs';
import { ping } from '../../scripts/setup/docker-socket.mjs';
import { EnvironmentProblem } from '../../scripts/setup/report.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { daemonPlace } from '../support/own-daemon.ts';

/** A second daemon in a folder of its own: the machine's own one is left alone. */
let folder: string;
let place: DaemonPlace;
const said: string[] = [];
const reporter = {
  begin: () => ({ update: () => {}, done: (detail = 'ok') => void said.push(detail) }),
  line: () => {},
};

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-daemon-'));
  place = daemonPlace(folder);
});

function pidIn(file: string): number {
  return Number(readFileSync(file, 'utf8'));
}

const containerdPidFile = () => path.join(place.execRoot, 'containerd', 'containerd.pid');

async function waitUntilGone(pid: number): Promise<void> {
  for (let waited = 0; waited < 10_000 && existsSync(`/proc/${pid}`); waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(existsSync(`/proc/${pid}`)).toBe(false);
}

afterAll(async () => {
  for (const file of [place.pidFile, containerdPidFile()]) {
    if (!existsSync(file)) continue;
    const pid = pidIn(file);
    if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGTERM');
    await waitUntilGone(pid);
  }
  await run('umount', ['--recursive', '--lazy', path.join(folder, 'data')]);
  rmSync(folder, { recursive: true, force: true });
});

describe('ensureDaemon', () => {
  it('starts a daemon that is not there, and leaves a running one alone', async () => {
    await ensureDaemon(reporter, place);
    expect(said.at(-1)).toBe(`started; log: ${place.logFile}`);
    expect(await ping({ socketPath: place.socket })).toBe('ok');
    const pid = pidIn(place.pidFile);
    await ensureDaemon(reporter, place);
    expect(said.at(-1)).toBe('running');
    expect(pidIn(place.pidFile)).toBe(pid);
  });

  it('starts again after kill -9, over a stale pid file and an orphaned containerd', async () => {
    const daemon = pidIn(place.pidFile);
    const containerd = pidIn(containerdPidFile());
    process.kill(daemon, 'SIGKILL');
    await waitUntilGone(daemon);
    await waitUntilGone(containerd);
    // This version's containerd dies with its daemon; others' stay, as this stand-in does.
    const standIn = path.join(folder, 'containerd');
    copyFileSync('/bin/sleep', standIn);
    const orphan = spawn(standIn, ['300'], { stdio: 'ignore' });
    writeFileSync(containerdPidFile(), String(orphan.pid));
    await ensureDaemon(reporter, place);
    expect(said.at(-1)).toContain('removed stale docker.pid');
    expect(said.at(-1)).toContain('ended an orphaned containerd');
    expect(orphan.signalCode).toBe('SIGTERM');
    expect(await ping({ socketPath: place.socket })).toBe('ok');
  });

  it('starts again when the pid now belongs to another program', async () => {
    const daemon = pidIn(place.pidFile);
    const containerd = pidIn(containerdPidFile());
    process.kill(daemon, 'SIGTERM');
    await waitUntilGone(daemon);
    await waitUntilGone(containerd);
    writeFileSync(place.pidFile, String(process.pid));
    await ensureDaemon(reporter, place);
    expect(said.at(-1)).toContain('removed stale docker.pid');
    expect(pidIn(place.pidFile)).not.toBe(process.pid);
  });

  it('names the cause when the daemon cannot start', async () => {
    const broken = {
      ...place,
      socket: path.join(folder, 'other.sock'),
      pidFile: path.join(folder, 'other.pid'),
      execRoot: path.join(folder, 'other'),
      logFile: path.join(folder, 'other.log'),
      args: ['--data-root', '/proc/not-a-folder'],
    };
    const failure = await ensureDaemon(reporter, broken).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentProblem);
    expect((failure as Error).message).toMatch(/^dockerd did not start: .*\/proc\/not-a-folder/);
  });
});
