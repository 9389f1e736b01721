import { readdirSync, readFileSync, rmSync, writeFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { isAlive, makeFolderSync, newId, processIdentity } from '../../lib/index.ts';

export interface LinkFile {
  path: string;
  write(link: string): void;
  remove(): void;
}

/**
 * A file that only this user can read, with a link that was not used yet: for a second browser, and
 * for what starts a browser, since other users see the command lines of processes. What servers left
 * that were killed is removed here.
 */
export function openLinkFile(home: string): LinkFile {
  const folder = path.join(home, 'serve');
  makeFolderSync(folder, 0o700);
  removeDead(folder);
  const file = path.join(folder, `${processIdentity()}.${newId(4)}.url`);
  return {
    path: file,
    write(link) {
      const fresh = `${file}.new`;
      rmSync(fresh, { force: true });
      writeFileSync(fresh, `${link}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(fresh, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function removeDead(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^(.+)\.[a-z0-9]{4}\.(?:url|html)(?:\.new)?$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(owner)) rmSync(path.join(folder, name), { force: true });
  }
}

/** The link that a file holds. */
export function readLink(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
