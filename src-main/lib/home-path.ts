import { homedir } from 'node:os';
import path from 'node:path';

/**
 * A path as a person types it: `~` and `~/...` are of the home folder, as in a shell. Another user's
 * home (`~ann`) is not looked up, and a folder named `~` is reached as `./~`.
 */
export function withHome(given: string): string {
  return given === '~' || given.startsWith('~/') ? path.join(homedir(), given.slice(1)) : given;
}
