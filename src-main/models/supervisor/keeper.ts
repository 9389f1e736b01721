import { VivariumError, messageOf } from '../../lib/index.ts';
import type { ServerStatus, StartServer, Supervisor } from '../servers/types.ts';
import { writeAtomically } from './files.ts';

/** Variable with the file in which a keeper tells why it could not even begin. */
export const KEEPER_REPORT_VARIABLE = 'VIVARIUM_KEEPER_REPORT';

const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Owns one server in the background until it is stopped, idle or has failed for good, or until this
 * process is asked to end. Resolves with its last state; nothing of it is left then.
 *
 * @throws VivariumError as `Supervisor.start` does
 */
export async function keepServer(
  supervisor: Supervisor,
  request: Omit<StartServer, 'ownerKind' | 'signal'>,
): Promise<ServerStatus> {
  const ending = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    ending.abort(
      new VivariumError(
        'server_not_running',
        `The keeper of ${request.profile.name} was ended by ${signal}.`,
        `Start it again: vivarium models start ${request.profile.name}`,
      ),
    );
    void supervisor.close();
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  try {
    const server = await supervisor.start({
      ...request,
      ownerKind: 'keeper',
      signal: ending.signal,
    });
    return await server.ended;
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, onSignal);
  }
}

/** What {@link reportKeeperFailure} writes. */
export interface KeeperReport {
  code: string;
  message: string;
  next: string;
}

/** Tells whoever started this keeper why it failed, where nothing is recorded with the server. */
export function reportKeeperFailure(
  env: Readonly<Record<string, string | undefined>>,
  error: unknown,
): void {
  const file = env[KEEPER_REPORT_VARIABLE];
  if (file === undefined) return;
  const report: KeeperReport =
    error instanceof VivariumError
      ? { code: error.code, message: error.message, next: error.next }
      : { code: 'internal', message: messageOf(error), next: 'This is a fault of Vivarium.' };
  try {
    writeAtomically(file, JSON.stringify(report));
  } catch {
    // Then only its log tells.
  }
}
