import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, makeFolderSync, newId, processIdentity } from '../../lib/index.ts';
import { writeError } from './write-error.ts';

/** A lock that its owner's death releases. */
export interface Lock {
  /** Safe to call twice. */
  release(): void;
}

/** Who holds a lock: a process, and what it said it takes the lock for. */
export interface LockHolder {
  identity: string;
  note: string;
}

export type LockAttempt = { lock: Lock; holder: null } | { lock: null; holder: LockHolder };

/**
 * Older generations that are kept: a process that listed the folder before they came must not find
 * its number free.
 */
const KEPT_GENERATIONS = 8;

/**
 * Takes the lock in `folder`, or tells who has it. Exactly one of any number of processes wins, also
 * when the last owner died without a word.
 *
 * The lock is the file with the highest number, its generation; it names its owner, or nobody once
 * released. To take it means to make the file with the next number, which the file system lets one
 * process do. A plain lock file has no such step: between the look at a dead owner's file and its
 * removal, another may have put its own there.
 *
 * @throws VivariumError `disk_full`, `store_failed` when nothing can be written there
 */
export function takeLock(folder: string, note: string): LockAttempt {
  makeFolderSync(folder, 0o700);
  for (;;) {
    const top = generations(folder).at(-1) ?? 0;
    const holder = top === 0 ? null : readHolder(join(folder, String(top)));
    if (holder !== null && isAlive(holder.identity)) return { lock: null, holder };
    const mine = claim(folder, top + 1, note);
    if (mine !== null) return { lock: mine, holder: null };
  }
}

/** Who holds the lock now; `null` = nobody that lives. */
export function lockHolder(folder: string): LockHolder | null {
  const top = generations(folder).at(-1);
  const holder = top === undefined ? null : readHolder(join(folder, String(top)));
  return holder !== null && isAlive(holder.identity) ? holder : null;
}

/** `null` when another was first. */
function claim(folder: string, generation: number, note: string): Lock | null {
  const file = join(folder, String(generation));
  const holder: LockHolder = { identity: processIdentity(), note };
  // Linked into place with its content, so that nobody reads half of it.
  const draft = join(folder, `.${newId()}`);
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    linkSync(draft, file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw writeError(file, fault);
    return null;
  } finally {
    rmSync(draft, { force: true });
  }
  const all = generations(folder);
  if ((all.at(-1) ?? 0) > generation) {
    // Ours was an old number that had been cleared away.
    rmSync(file, { force: true });
    return null;
  }
  for (const old of all.filter((number) => number <= generation - KEPT_GENERATIONS)) {
    rmSync(join(folder, String(old)), { force: true });
  }
  let held = true;
  return {
    release: () => {
      if (held) writeReleased(folder, file);
      held = false;
    },
  };
}

/** Only the owner writes its file, so nothing is raced here. */
function writeReleased(folder: string, file: string): void {
  const draft = join(folder, `.${newId()}`);
  try {
    writeFileSync(draft, 'null', { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The folder is gone, or the disk is full: then our end releases it.
    rmSync(draft, { force: true });
  }
}

function generations(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((number) => Number.isInteger(number) && number > 0)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function readHolder(file: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder | null;
  } catch {
    return null;
  }
}
