import { codeOf, VivariumError, messageOf } from '../lib/index.ts';

const ANOTHER_HOME = 'or set VIVARIUM_HOME to another folder.';

/** What a code of SQLite or of the file system means for the user. */
function explain(code: string, file: string): { message: string; next: string } | undefined {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return {
      message: `the session database is damaged: ${file}`,
      next: `Move ${file} (and its -wal and -shm files) away and start again, ${ANOTHER_HOME}`,
    };
  }
  if (
    /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|^E(ACCES|PERM|ROFS|NOENT|NOTDIR|EXIST|ISDIR)$/.test(code)
  ) {
    return {
      message: `the session database cannot be opened for writing: ${file}`,
      next: `Make the folder writable for you, ${ANOTHER_HOME}`,
    };
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return {
      message: `another process keeps the session database locked: ${file}`,
      next: 'End the other Vivarium processes that hang, then try again.',
    };
  }
  return undefined;
}

/**
 * Turns anything the database threw into a VivariumError `store_failed` or `disk_full`;
 * a VivariumError passes as it is.
 */
export function storeError(thrown: unknown, file: string): VivariumError {
  if (thrown instanceof VivariumError) return thrown;
  const code = codeOf(thrown);
  // SQLite reports a full disk as FULL, but as a failed write where it could not grow the log.
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new VivariumError(
      'disk_full',
      `there is no room left on the disk of the session database: ${file}`,
      'Free some space (`vivarium clean` removes leftovers of dead runs) and try again.',
      thrown,
    );
  }
  const known = explain(code, file);
  if (known !== undefined)
    return new VivariumError('store_failed', known.message, known.next, thrown);
  return new VivariumError(
    'store_failed',
    `the session database failed: ${messageOf(thrown)} (${file})`,
    `Check the disk and the folder of the file, ${ANOTHER_HOME}`,
    thrown,
  );
}
