import { cp, open, readdir, rm, rmdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  codeOf,
  makeFolder,
  newId,
  placeNew,
  unwritable,
  visibleLine,
  VivariumError,
} from '../../lib/index.ts';

/** A file that is written piece by piece; it has its name only once it is whole. */
export interface OutFile {
  write(text: string): Promise<void>;
}

/** The folder of one export. */
export interface OutFolder {
  readonly folder: string;
  /** Writes a file as a whole. Each part of the path must be a plain name. */
  write(parts: readonly string[], bytes: Uint8Array): Promise<void>;
  /** Copies a folder of someone else's as it is, links as they are written, and returns its place. */
  copy(parts: readonly string[], from: string): Promise<string>;
  /** A file to append to; all of them get their names with `end`. */
  append(parts: readonly string[]): Promise<OutFile>;
  end(): Promise<void>;
}

interface Appended {
  handle: FileHandle;
  temporary: string;
  file: string;
}

/**
 * Lets `work` write into a folder that is new or empty. Nothing that exists is overwritten or
 * followed; each file is there as a whole or not at all. When `work` fails, what it wrote is removed.
 * @throws VivariumError `out_unwritable`, `disk_full`, and what `work` throws
 */
export async function inOutFolder<T>(
  out: string,
  work: (folder: OutFolder) => Promise<T>,
): Promise<T> {
  const folder = path.resolve(out);
  const made: string[] = [];
  const copied: string[] = [];
  const appended: Appended[] = [];
  try {
    const there = await namesIn(folder);
    if (there === undefined) made.push(folder);
    if (there !== undefined && there.length > 0) throw notEmpty(folder);
    await makeFolder(folder);
    const opened = outFolder(folder, { made, copied, appended });
    const result = await work(opened);
    await opened.end();
    return result;
  } catch (fault) {
    for (const { handle } of appended) await handle.close().catch(() => undefined);
    for (const tree of copied) {
      await rm(tree, { recursive: true, force: true }).catch(() => undefined);
    }
    await removeAll([...appended.map(({ temporary }) => temporary), ...made.toReversed()]);
    throw systemFault(fault) ? unwritable(folder, fault) : fault;
  }
}

interface Written {
  made: string[];
  copied: string[];
  appended: Appended[];
}

function outFolder(folder: string, { made, copied, appended }: Written): OutFolder {
  const known = new Set<string>();

  async function placeFor(parts: readonly string[]): Promise<string> {
    let place = folder;
    for (const part of parts.slice(0, -1)) {
      place = path.join(place, plainPart(part));
      if (known.has(place)) continue;
      await makeFolder(place);
      known.add(place);
      made.push(place);
    }
    return path.join(place, plainPart(parts.at(-1) ?? ''));
  }

  async function claim(temporary: string, file: string): Promise<void> {
    await placeNew(temporary, file);
    made.push(file);
  }

  return {
    folder,
    async write(parts, bytes) {
      const file = await placeFor(parts);
      const temporary = temporaryOf(file);
      const handle = await open(temporary, 'wx', 0o644);
      try {
        await handle.writeFile(bytes);
        await handle.close();
        await claim(temporary, file);
      } finally {
        await handle.close().catch(() => undefined);
        await rm(temporary, { force: true });
      }
    },
    async copy(parts, from) {
      const place = await placeFor(parts);
      copied.push(place);
      const errorOnExist = true;
      await cp(from, place, {
        ...{ recursive: true, force: false, errorOnExist, verbatimSymlinks: true },
      });
      return place;
    },
    async append(parts) {
      const file = await placeFor(parts);
      const temporary = temporaryOf(file);
      const handle = await open(temporary, 'wx', 0o644);
      appended.push({ handle, temporary, file });
      // Goes on where the write before ended.
      return { write: (text) => handle.writeFile(text) };
    },
    async end() {
      for (const { handle, temporary, file } of appended) {
        await handle.close();
        await claim(temporary, file);
        await rm(temporary, { force: true });
      }
      appended.length = 0;
    },
  };
}

/** The one check that every name of an export passes, wherever it comes from. */
function plainPart(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,239}$/.test(name) && !name.includes('..')) return name;
  throw new VivariumError(
    'task_invalid',
    `${JSON.stringify(name)} cannot be a name in an export`,
    'Use letters, digits, dots, underscores and hyphens only.',
  );
}

function temporaryOf(file: string): string {
  return path.join(path.dirname(file), `.${newId(8)}.tmp`);
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
}

/** Folders only where nothing of others is in them. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const one of paths) {
    await rm(one, { force: true }).catch(() => rmdir(one).catch(() => undefined));
  }
}

function systemFault(fault: unknown): boolean {
  return !(fault instanceof VivariumError) && fault instanceof Error && 'syscall' in fault;
}

function notEmpty(folder: string): VivariumError {
  return new VivariumError(
    'out_unwritable',
    `${visibleLine(folder)} is not empty`,
    'Choose a new or an empty folder: an export overwrites nothing.',
  );
}
