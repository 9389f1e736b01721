import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, makeFolderSync, newId, processIdentity } from '../../lib/index.ts';
import { readJson, writeAtomically } from './files.ts';

/** A process that uses a server that another one owns. */
export interface User {
  identity: string;
  /** Requests it has under way. */
  inFlight: number;
}

export interface Lease {
  /** A request begins; call the result when it ends. */
  begin(): () => void;
  release(): void;
}

/** Makes this process a user: a file of its own, so that nobody has to lock anything. */
export function takeLease(folder: string): Lease {
  makeFolderSync(folder, 0o700);
  const file = join(folder, newId());
  const user: User = { identity: processIdentity(), inFlight: 0 };
  let released = false;
  const write = (): void => {
    if (!released) writeAtomically(file, JSON.stringify(user));
  };
  write();
  return {
    begin: () => {
      user.inFlight += 1;
      if (user.inFlight === 1) write();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        user.inFlight -= 1;
        if (user.inFlight === 0) write();
      };
    },
    release: () => {
      released = true;
      rmSync(file, { force: true });
    },
  };
}

/** Users that live; files of dead ones are removed. */
export function listUsers(folder: string): User[] {
  const users: User[] = [];
  for (const name of names(folder)) {
    // A draft is renamed in a moment.
    if (name.includes('.')) continue;
    const file = join(folder, name);
    const user = readJson(file) as User | null;
    if (user === null) continue;
    if (isAlive(user.identity)) users.push(user);
    else rmSync(file, { force: true });
  }
  return users;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
