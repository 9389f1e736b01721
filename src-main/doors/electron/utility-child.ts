import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { forwardLines, type ChildExit, type StartChild } from '../../models/index.ts';
import type { ElectronModule } from './electron-module.ts';

/** For a process that was killed, and that a driver may hold. */
const KILLED_WITHIN_MS = 5_000;

/**
 * Starts children of ours as Electron's utility processes, since its program is no Node to fork. They
 * end with the app, however that ends.
 */
export function utilityChild(
  utilityProcess: Pick<ElectronModule['utilityProcess'], 'fork'>,
): StartChild {
  return ({ entry, env, onMessage, onLine }) => {
    const child = utilityProcess.fork(entry, [], {
      env: { ...env },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe'],
      serviceName: 'Vivarium engine',
    });
    const exited = Promise.withResolvers<ChildExit>();
    const started = Promise.withResolvers<Awaited<ReturnType<StartChild>>>();
    let hasEnded = false;
    // Electron tells no signal: a child that was killed ends with a code.
    child.once('exit', (code) => {
      hasEnded = true;
      exited.resolve({ code, signal: null });
      started.reject(new Error(`The process ended with code ${code} before it began.`));
    });
    child.on('message', onMessage);
    forwardLines(child.stdout, onLine);
    forwardLines(child.stderr, onLine);
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined) return started.reject(new Error('The child has no process id.'));
      started.resolve({
        pid,
        exited: exited.promise,
        send(message) {
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
          if (!hasEnded) child.postMessage(message);
        },
        async stop(graceMs) {
          if (hasEnded) return;
          child.kill();
          await Promise.race([exited.promise, sleep(graceMs)]);
          if (hasEnded) return;
          kill(pid);
          await Promise.race([exited.promise, sleep(KILLED_WITHIN_MS)]);
        },
      });
    });
    return started.promise;
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
