import type { ServerStatus } from '../servers/types.ts';
import { readRecord, serverFiles } from './files.ts';
import { isLeft, leaderLives } from './reap.ts';
import { NO_SERVER } from './status-board.ts';
import { listUsers } from './users.ts';

/** State of a server as its record tells it; the word of an owner that is gone is not believed. */
export function readServerStatus(home: string, name: string): ServerStatus {
  const files = serverFiles(home, name);
  const record = readRecord(files);
  if (record === null) return { ...NO_SERVER, name };
  const { proof, ...status } = record;
  const served = status.state === 'ready' || status.state === 'busy';
  const lost = isLeft(record) || (served && proof !== null && !leaderLives(proof));
  if (lost && status.state !== 'failed') return { ...status, state: 'lost', progress: null };
  if (status.owner === null) return { ...status, users: 0 };
  const users = listUsers(files.users).filter(({ identity }) => identity !== status.owner);
  return { ...status, users: users.length };
}
