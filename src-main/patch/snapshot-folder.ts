import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { VivariumError } from '../lib/index.ts';
import type { Snapshot } from './types.ts';

const leftOut = z.object({ path: z.string(), reason: z.string() });

const snapshotSchema = z.object({
  gitDir: z.string(),
  repository: z.string(),
  baseCommit: z.string(),
  tree: z.string(),
  startCommit: z.string(),
  files: z.number(),
  bytes: z.number(),
  dirty: z.object({ modified: z.number(), untracked: z.number() }),
  notCarried: z.array(leftOut),
});

/** Name of the file beside the objects that tells what the snapshot is. */
const SNAPSHOT_FILE = 'snapshot.json';

/** Notes what a snapshot is, in its own folder. */
export function writeSnapshotFile(folder: string, snapshot: Snapshot): Promise<void> {
  const text = JSON.stringify(snapshot, undefined, 2);
  return writeFile(join(folder, SNAPSHOT_FILE), text, { mode: 0o600 });
}

/** The folder all snapshots of a home are in. */
export function snapshotsFolder(home: string): string {
  return join(home, 'snapshots');
}

/** Where the snapshot of a session lies. Throws `internal` for an id that is no plain name. */
export function snapshotPath(home: string, sessionId: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(sessionId)) {
    throw new VivariumError(
      'internal',
      'a session id is not a plain name',
      'This is a fault of Vivarium; please report it.',
    );
  }
  return join(snapshotsFolder(home), `${sessionId}.git`);
}

/** The snapshot of a session, or `undefined` when there is none (any more). */
export async function openSnapshot(home: string, sessionId: string): Promise<Snapshot | undefined> {
  const gitDir = snapshotPath(home, sessionId);
  const text = await readFile(join(gitDir, SNAPSHOT_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The home may have moved since.
  return { ...snapshotSchema.parse(JSON.parse(text)), gitDir };
}

/** Removes the private repository of a session; nothing happens when there is none. */
export async function removeSnapshot(home: string, sessionId: string): Promise<void> {
  await rm(snapshotPath(home, sessionId), { recursive: true, force: true });
}

/** A folder below the snapshots of a home. */
export interface SnapshotFolder {
  /** `undefined` for what a process left behind that died while it took a snapshot. */
  sessionId: string | undefined;
  path: string;
  bytes: number;
  /** Milliseconds since 1970 of the last change. */
  modifiedMs: number;
}

/** All snapshots of a home, left-overs included. */
export async function listSnapshots(home: string): Promise<SnapshotFolder[]> {
  const folder = snapshotsFolder(home);
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const sessionId = /^([A-Za-z0-9][A-Za-z0-9_-]*)\.git$/.exec(name)?.[1];
      const { mtimeMs } = await stat(path);
      return { sessionId, path, bytes: await bytesOf(path), modifiedMs: mtimeMs };
    }),
  );
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
