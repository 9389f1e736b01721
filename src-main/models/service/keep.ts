import type { ServerStatus } from '../servers/types.ts';
import { forgetKeepRequest, reportKeeperFailure } from '../supervisor/index.ts';
import { startOwned, type Owned, type ServerDesk } from './own.ts';
import type { KeepOptions } from './types.ts';
import { watchUse, type UseWatch } from './watch-use.ts';

/** Owns a server until it is stopped, idle, failed for good or, if so wanted, not used any more. */
export async function keep(
  desk: ServerDesk,
  name: string,
  options: KeepOptions,
): Promise<ServerStatus> {
  const { home } = desk.config;
  // What was asked of an earlier owner does not concern this one.
  forgetKeepRequest(home, name);
  const use = options.whileUsed ? watchUse(home, name) : null;
  try {
    return await keepWhile(desk, name, options, use);
  } finally {
    use?.close();
    forgetKeepRequest(home, name);
  }
}

async function keepWhile(
  desk: ServerDesk,
  name: string,
  options: KeepOptions,
  use: UseWatch | null,
): Promise<ServerStatus> {
  const wanted = [options.signal, use?.unused].filter((signal) => signal !== undefined);
  const signal = AbortSignal.any(wanted);
  const kind = use === null ? 'keeper' : 'app';
  const { server, sampled } = await startToKeep(desk, name, { ...options, signal }, kind);
  void use?.kept.then(() => server.keep());
  const onAbort = (): void => void server.stop();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) await server.stop();
    return await server.ended;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await sampled.stop();
  }
}

/** Whoever started this process in the background cannot see what it throws. */
async function startToKeep(
  desk: ServerDesk,
  name: string,
  options: KeepOptions,
  kind: 'keeper' | 'app',
): Promise<Owned> {
  try {
    return await startOwned(desk, name, options, kind);
  } catch (error) {
    reportKeeperFailure(desk.config.env, error);
    throw error;
  }
}
