import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeProgram, ownScript } from '../../lib/index.ts';

/** A process that outlives this one by a few seconds, if it dies without an orderly end. */
export interface Guard {
  /** Ends the guard: there is nothing left that it should look after. */
  dispose(): Promise<void>;
}

/**
 * Starts the guard of a data folder. A container that runs ends with our connection to it, but one
 * that was only created would stay for ever when the app is killed right then; the engine has no
 * call that does both. The guard waits for the end of its input, which comes with our end, however
 * that comes; then it removes what has no living owner.
 */
export function startGuard(home: string): Guard {
  const child = spawn(nodeProgram(), [ownScript('guard'), home], {
    // Not in our process group: what kills that must not kill the guard.
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a guard everything works; only a kill at the wrong moment leaves work for the next start.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  const ended = once(child, 'exit').catch(() => undefined);
  return {
    dispose: async () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
