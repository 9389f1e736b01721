import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isAlive, processIdentity, writeOwnSync } from '../../lib/index.ts';

export interface LinkFile {
  path: string;
  write(link: string): void;
  remove(): void;
}

const OURS = /^(\d+)\.(?:url|url\..+\.tmp|html)$/;

/**
 * A file that only this user can read, with a link that was not used yet: for a second browser, and
 * for what starts a browser, since other users see the command lines of processes. Its second line
 * names the process that serves; what servers left that were killed is removed here.
 *
 * @param folder exists, for this user only
 */
export function openLinkFile(folder: string, port: number): LinkFile {
  removeDead(folder);
  const file = path.join(folder, `${port}.url`);
  return {
    path: file,
    write: (link) => writeOwnSync(file, `${link}\n# ${processIdentity()}\n`),
    remove: () => rmSync(file, { force: true }),
  };
}

function removeDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const port = OURS.exec(name)?.[1];
    if (port === undefined || isServed(folder, Number(port))) continue;
    rmSync(path.join(folder, name), { force: true });
  }
}

/** Whether a live process serves that port of this home. */
export function isServed(folder: string, port: number): boolean {
  try {
    const text = readFileSync(path.join(folder, `${port}.url`), 'utf8');
    const owner = /^# (.+)$/m.exec(text)?.[1];
    return owner !== undefined && isAlive(owner);
  } catch {
    return false;
  }
}
