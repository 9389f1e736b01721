import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { messageOf } from '../../lib/index.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import { startExec } from './exec-stream.ts';
import { hasStatus } from './failures.ts';
import type { Keeper } from './keeper.ts';

const RECORD_DELAY_MS = 200;
const KILL_MS = 3_000;
/** Takes 40 ms on an idle machine. */
const EXEC_START_MS = 15_000;

/**
 * A running container as the shell side sees it.
 * @param user `UID:GID` of all commands
 * @param keeper the hold on its main process: letting go ends it at once, whatever hinders the engine
 */
export function dockerPort(
  container: Docker.Container,
  keeper: Pick<Keeper, 'release'>,
  user: string,
): SandboxPort {
  const kill = async (): Promise<void> => {
    keeper.release();
    await within(container.kill(), KILL_MS).catch(() => undefined);
  };
  return {
    exec: async (argv) => {
      const starting = startExec(container, argv, user);
      const started = await within(starting, EXEC_START_MS);
      if (started !== undefined) return started;
      // What the agent left running can stop a new process before it is more than the runtime's own
      // beginning of one; then the engine waits for ever, with this and with all that comes after.
      starting.then(
        (late) => late.destroy(),
        () => undefined,
      );
      await kill();
      throw new Error('No process can be started in the container any more.');
    },
    goneReason: () => goneReason(container),
    kill,
  };
}

/** `undefined` when it takes longer. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  return Promise.race([work, late]).finally(() => timer.abort());
}

async function goneReason(container: Docker.Container): Promise<string | undefined> {
  try {
    const { State: state } = await container.inspect();
    if (state.Running && !state.Dead) return undefined;
    if (state.OOMKilled) return 'its container was ended for using too much memory';
    return `its container has ended (exit code ${state.ExitCode})`;
  } catch (error) {
    if (hasStatus(error, 404)) return 'its container has ended, or was removed from outside';
    return `the container engine does not answer (${messageOf(error)})`;
  }
}

/** The reason, once the connection to the main process was cut. */
export async function whyEnded(port: SandboxPort): Promise<string> {
  const reason = await port.goneReason();
  if (reason !== undefined) return reason;
  // The end can be seen here before it is in the engine's record.
  await delay(RECORD_DELAY_MS);
  return (await port.goneReason()) ?? 'its connection to the container engine was cut';
}
