import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderSync, writeOwnSync } from '../../lib/index.ts';
import type { ServerAccess, ServerStatus } from '../servers/types.ts';
import { recordSchema } from './record-shape.ts';
import { writeError } from './write-error.ts';

/** Where the record of a server lies; all of it readable by its user only. */
export interface ServerFiles {
  folder: string;
  state: string;
  access: string;
  lock: string;
  users: string;
  stop: string;
  keep: string;
  log: string;
  keeperLog: string;
  /** For the engine's own caches. */
  cache: string;
}

/** What proves that a process is the server's leader, long after its owner is gone. */
export interface ServerProof {
  pid: number;
  group: number;
  startTicks: string;
  bootId: string;
  /** `null` until it was seen. */
  executable: string | null;
  argvSha256: string;
  nonce: string;
  /** Container of the server and the program that removes it. */
  container: { name: string; remover: string } | null;
}

/** `state.json`. */
export interface ServerRecord extends ServerStatus {
  proof: ServerProof | null;
}

export function serverFiles(home: string, name: string): ServerFiles {
  const folder = join(home, 'servers', name);
  return {
    folder,
    state: join(folder, 'state.json'),
    access: join(folder, 'access.json'),
    lock: join(folder, 'lock'),
    users: join(folder, 'users'),
    stop: join(folder, 'stop.json'),
    keep: join(folder, 'keep.json'),
    log: join(folder, 'logs', 'server.log'),
    keeperLog: join(folder, 'logs', 'keeper.log'),
    cache: join(folder, 'cache'),
  };
}

/** Folder of the lock of a GPU. */
export function gpuLockFolder(home: string, uuid: string): string {
  return join(home, 'servers', `gpu-${uuid.replace(/[^\w-]/g, '_')}.lock`);
}

/** Names of all servers that were ever started here. */
export function listServers(home: string): string[] {
  try {
    return readdirSync(join(home, 'servers'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.lock'))
      .map(({ name }) => name)
      .filter((name) => readRecord(serverFiles(home, name)) !== null)
      .sort();
  } catch {
    return [];
  }
}

export function makeServerFolder(files: ServerFiles): void {
  for (const folder of [files.folder, files.users, files.cache]) makeFolderSync(folder, 0o700);
}

/** `null` when there is none, or none that makes sense: one damaged file must not hide all others. */
export function readRecord(files: ServerFiles): ServerRecord | null {
  return recordSchema.safeParse(readJson(files.state)).data ?? null;
}

export function writeRecord(files: ServerFiles, record: ServerRecord): void {
  writeAtomically(files.state, JSON.stringify(record, null, 1));
}

/** Where there is no room to write that a server is stopped, no record at all says the same. */
export function writeStopped(files: ServerFiles, record: ServerRecord): void {
  try {
    writeRecord(files, record);
  } catch {
    removeFile(files.state);
  }
}

export function readAccess(files: ServerFiles): ServerAccess | null {
  return readJson(files.access) as ServerAccess | null;
}

export function writeAccess(files: ServerFiles, access: ServerAccess): void {
  writeAtomically(files.access, JSON.stringify(access));
}

export function removeFile(file: string): void {
  rmSync(file, { force: true });
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Puts a file there whose being there is the message. A full disk has room for the name of a file
 * where it has none for a content, and what is asked may be what makes room: to stop a server.
 *
 * @throws VivariumError as `writeAtomically`
 */
export function putUp(file: string, text: string): void {
  try {
    writeAtomically(file, text);
  } catch (error) {
    try {
      closeSync(openSync(file, 'w', 0o600));
    } catch {
      throw error;
    }
  }
}

/**
 * A reader sees the old content or the new, never a part; the mode is there from the start.
 *
 * @throws VivariumError `disk_full`, `store_failed`
 */
export function writeAtomically(file: string, text: string): void {
  try {
    writeOwnSync(file, text);
  } catch (fault) {
    throw writeError(file, fault);
  }
}
