import { VivariumError, messageOf } from '../../lib/index.ts';

/** What a file of a server's record could not be written for, as users are told. */
export function writeError(file: string, fault: unknown): VivariumError {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new VivariumError(
      'disk_full',
      `There is no room left on the disk of VIVARIUM_HOME: ${file} could not be written.`,
      'Free some space (`vivarium clean` removes leftovers of dead runs) and try again.',
      fault,
    );
  }
  return new VivariumError(
    'store_failed',
    `${file} could not be written: ${messageOf(fault)}.`,
    'Make VIVARIUM_HOME writable for you, or set it to another folder.',
    fault,
  );
}
