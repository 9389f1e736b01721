import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { newId } from './ids.ts';

/**
 * Replaces a file that only its owner may read, in one step: a reader sees the old content or the
 * new, never a part, and the mode is there from the start. Throws the system's error, and leaves the
 * old file then. For what must be on disk after a power cut, see `writeDurably`.
 */
export function writeOwnSync(file: string, text: string): void {
  const draft = `${file}.${newId()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
