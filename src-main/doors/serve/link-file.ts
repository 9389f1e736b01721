import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, makeFolderSync, processIdentity } from '../../lib/index.ts';

export interface LinkFile {
  path: string;
  write(link: string): void;
  remove(): void;
}

const OURS = /^(\d+)\.(?:url|url\.new|html)$/;

/**
 * A file that only this user can read, with a link that was not used yet: for a second browser, and
 * for what starts a browser, since other users see the command lines of processes. Its second line
 * names the process that serves; what servers left that were killed is removed here.
 */
export function openLinkFile(home: string, port: number): LinkFile {
  const folder = path.join(home, 'serve');
  makeFolderSync(folder, 0o700);
  removeDead(folder);
  const file = path.join(folder, `${port}.url`);
  const fresh = `${file}.new`;
  return {
    path: file,
    write(link) {
      rmSync(fresh, { force: true });
      writeFileSync(fresh, `${link}\n# ${processIdentity()}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(fresh, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function removeDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const port = OURS.exec(name)?.[1];
    if (port === undefined || isServed(path.join(folder, `${port}.url`))) continue;
    rmSync(path.join(folder, name), { force: true });
  }
}

function isServed(file: string): boolean {
  try {
    const owner = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
    return owner !== undefined && isAlive(owner);
  } catch {
    return false;
  }
}
