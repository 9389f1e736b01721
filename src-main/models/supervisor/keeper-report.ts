import { VivariumError, messageOf } from '../../lib/index.ts';
import { writeAtomically } from './files.ts';

/** Variable with the file in which a keeper tells why it could not even begin. */
export const KEEPER_REPORT_VARIABLE = 'VIVARIUM_KEEPER_REPORT';

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
