import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, makeFolderSync, newId, processIdentity, sha256 } from '../../lib/index.ts';
import { startGuard } from './guard.ts';

/** Labels of everything we create in the engine. */
export const LABEL_OWNER = 'vivarium.owner';
export const LABEL_HOME = 'vivarium.home';
export const LABEL_SESSION = 'vivarium.session';
export const LABEL_ATTEMPT = 'vivarium.attempt';
export const LABEL_WORKSPACE = 'vivarium.workspace';

/** This process's claim on containers and volumes; while it lives, nobody else reaps them. */
export interface Owner {
  id: string;
  home: string;
  /** Containers (and their volumes) that could not be removed at close: the engine was gone. */
  readonly abandoned: Map<string, readonly string[]>;
  /** Gives the claim up; call it after the last workspace was closed. */
  dispose(): Promise<void>;
}

/** Writes the lease file `HOME/owners/ID.json` that names this process for ever. */
export function createOwner(home: string): Owner {
  const id = newId(12);
  const folder = ownersFolder(home);
  makeFolderSync(folder, 0o700);
  const file = path.join(folder, `${id}.json`);
  writeFileSync(file, JSON.stringify({ process: processIdentity(), at: Date.now() }), {
    flag: 'wx',
    mode: 0o600,
  });
  const guard = startGuard(home);
  return {
    id,
    home,
    abandoned: new Map(),
    dispose: async () => {
      await guard.dispose();
      rmSync(file, { force: true });
    },
  };
}

/** Short name of a data folder for labels: two of them never reap each other's containers. */
export function homeLabel(home: string): string {
  return sha256(path.resolve(home)).slice(0, 16);
}

/** A lease that cannot be read or is missing is that of a dead owner. */
export function ownerIsAlive(home: string, id: string): boolean {
  if (!/^[a-z0-9]+$/.test(id)) return false;
  try {
    const lease: unknown = JSON.parse(
      readFileSync(path.join(ownersFolder(home), `${id}.json`), 'utf8'),
    );
    if (typeof lease !== 'object' || lease === null || !('process' in lease)) return false;
    return typeof lease.process === 'string' && isAlive(lease.process);
  } catch {
    return false;
  }
}

/** Removes the lease files of owners that are dead. */
export function removeDeadLeases(home: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(ownersFolder(home));
  } catch {
    return;
  }
  for (const name of names) {
    const id = name.replace(/\.json$/, '');
    if (!ownerIsAlive(home, id)) rmSync(path.join(ownersFolder(home), name), { force: true });
  }
}

function ownersFolder(home: string): string {
  return path.join(home, 'owners');
}
