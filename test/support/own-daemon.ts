import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDaemon, type DaemonPlace } from '../../scripts/setup/daemon.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { listOwned, type Engine } from '../../src-main/workspaces/index.ts';

const quiet = {
  begin: () => ({ update: () => undefined, done: () => undefined }),
  line: () => undefined,
};

/** Where a second Docker daemon keeps everything, without touching the machine's network. */
export function daemonPlace(folder: string): DaemonPlace {
  return {
    socket: path.join(folder, 'docker.sock'),
    pidFile: path.join(folder, 'docker.pid'),
    execRoot: path.join(folder, 'exec'),
    logFile: path.join(folder, 'dockerd.log'),
    args: [
      ...['--data-root', path.join(folder, 'data'), '--bridge=none', '--iptables=false'],
      ...['--ip6tables=false', '--group', 'root'],
    ],
  };
}

/** A Docker daemon of one test: the machine's own is left alone. */
export interface OwnDaemon {
  folder: string;
  /** For `DOCKER_HOST`. */
  host: string;
  /** Starts it, and again after it was stopped. */
  start(): Promise<void>;
  /** Ends the daemon and waits until it is gone; its containerd lives on. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /**
   * Containers and volumes of a home that are still there when the engine has had 5 s to end them;
   * without those that it only names, as `removing`, and keeps no file of: Docker 20.10 can list a
   * container for ever that it has removed, see `removeContainer`.
   */
  leftBehind(engine: Engine, home: string): Promise<object[]>;
  dispose(): Promise<void>;
}

export function ownDaemon(): OwnDaemon {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-engine-'));
  const place = daemonPlace(folder);
  return {
    folder,
    host: `unix://${place.socket}`,
    start: () => ensureDaemon(quiet, place),
    stop: (signal) => end(place.pidFile, signal),
    async leftBehind(engine, home) {
      const left = async () => {
        const { containers, volumes } = await listOwned(engine, home);
        return [...containers.filter((one) => !isGhost(folder, one)), ...volumes];
      };
      for (let waited = 0; waited < 5_000 && (await left()).length > 0; waited += 100)
        await delay(100);
      return left();
    },
    async dispose() {
      await end(place.pidFile, 'SIGTERM');
      await end(path.join(place.execRoot, 'containerd', 'containerd.pid'), 'SIGTERM');
      await run('umount', ['--recursive', '--lazy', path.join(folder, 'data')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isGhost(folder: string, { id, state }: { id: string; state: string }): boolean {
  return state === 'removing' && !existsSync(path.join(folder, 'data', 'containers', id));
}

async function end(pidFile: string, signal: NodeJS.Signals): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (!existsSync(`/proc/${pid}`)) return;
  process.kill(pid, signal);
  for (let waited = 0; waited < 20_000 && existsSync(`/proc/${pid}`); waited += 50) await delay(50);
}
