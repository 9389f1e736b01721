import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { VivariumError } from '../../lib/index.ts';

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** The folder itself, or the nearest above it that is there. */
function nearest(folder: string): string {
  const above = path.dirname(folder);
  return isThere(folder) || above === folder ? folder : nearest(above);
}

/**
 * The absolute path of a folder that files can be written to, there or still to be made. Looked at
 * before the work begins: an hour of attempts should not end at a wrong path. Nothing is made.
 * @throws VivariumError `out_unwritable`
 */
export function outFolder(given: string): string {
  const folder = path.resolve(given);
  try {
    const existing = nearest(folder);
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is not a folder`);
    accessSync(existing, constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    throw new VivariumError(
      'out_unwritable',
      `cannot write to ${folder}`,
      'Choose a folder that you can write to.',
      cause,
    );
  }
}
