import { existsSync } from 'node:fs';
import { processIdentity } from '../../lib/index.ts';
import { makeServerFolder, putUp, removeFile, serverFiles } from './files.ts';
import { listUsers, takeLease, type Lease, type User } from './users.ts';

/**
 * Counts this process as a user of a server, whether that runs yet or not. One that is kept only
 * while it is used does not end before the lease is released or this process is gone.
 */
export function leaseServer(home: string, name: string): Lease {
  const files = serverFiles(home, name);
  makeServerFolder(files);
  return takeLease(files.users);
}

/** Those that live and use the server, but for its owner: by default this process. */
export function otherUsers(home: string, name: string, owner = processIdentity()): User[] {
  return listUsers(serverFiles(home, name).users).filter(({ identity }) => identity !== owner);
}

/** Asks the owner of a server that is kept only while it is used to keep it for good. */
export function requestKeep(home: string, name: string): void {
  putUp(serverFiles(home, name).keep, JSON.stringify({ by: processIdentity(), at: Date.now() }));
}

export function isKeepRequested(home: string, name: string): boolean {
  return existsSync(serverFiles(home, name).keep);
}

/** Done, or meant for an earlier start. */
export function forgetKeepRequest(home: string, name: string): void {
  removeFile(serverFiles(home, name).keep);
}
