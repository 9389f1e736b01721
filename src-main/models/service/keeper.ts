import { setTimeout as sleep } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import type { ServerStatus, Supervisor } from '../servers/types.ts';
import { requestKeep, startKeeper } from '../supervisor/index.ts';
import type { ServerDesk } from './own.ts';
import type { ServerOptions } from './types.ts';

/** For the owner of a server to see that it is to be kept. */
const KEPT_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;

/** Starts a server in a process of its own, faults having been told; resolves when it is ready. */
export function startForKeeper(
  { config }: ServerDesk,
  name: string,
  { overrides = {}, force = false, signal, onStatus }: ServerOptions,
  more: readonly string[] = [],
): Promise<ServerStatus> {
  // JSON is YAML too.
  const sets = Object.entries(overrides).flatMap(([member, value]) => [
    '--set',
    `${member}=${JSON.stringify(value)}`,
  ]);
  return startKeeper({
    // The same data folder, however this process came to it.
    ...{ home: config.home, env: { ...config.env, VIVARIUM_HOME: config.home }, name },
    argv: [...config.keeperCommand, name, ...sets, ...(force ? ['--force'] : []), ...more],
    ...(signal && { signal }),
    ...(onStatus && { onStatus }),
  });
}

/**
 * Has a server that was started for a use kept beyond it; `null` when it has ended meanwhile.
 * @throws VivariumError `server_running` when its owner does not hear of it
 */
export async function keepBeyondUse(
  supervisor: Pick<Supervisor, 'status'>,
  home: string,
  name: string,
): Promise<ServerStatus | null> {
  requestKeep(home, name);
  const deadline = performance.now() + KEPT_WITHIN_MS;
  for (;;) {
    const status = await supervisor.status(name);
    if (status.state !== 'ready' && status.state !== 'busy') return null;
    if (status.ownerKind === 'keeper') return status;
    if (performance.now() > deadline) throw notKept(status);
    await sleep(LOOK_EVERY_MS);
  }
}

function notKept({ name, owner }: ServerStatus): VivariumError {
  return new VivariumError(
    'server_running',
    `the server of ${name} runs for process ${owner?.split('.')[0] ?? '?'}, and ends with it`,
    'Wait until that is done, then start it.',
  );
}
