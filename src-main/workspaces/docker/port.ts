import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { messageOf } from '../../lib/index.ts';
import type { SandboxPort } from '../shell/exec-stream.ts';
import { AGENT_USER } from './container-options.ts';
import { startExec } from './exec-stream.ts';
import { hasStatus } from './failures.ts';

const RECORD_DELAY_MS = 200;

/** A running container as the shell side sees it. */
export function dockerPort(container: Docker.Container): SandboxPort {
  return {
    exec: (argv) => startExec(container, argv, AGENT_USER),
    goneReason: () => goneReason(container),
    kill: async () => {
      await container.kill().catch(() => undefined);
    },
  };
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
