import { lstat, opendir, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { DiskUse } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';
import { listImages } from '../images.ts';

type Part = DiskUse['parts'][number]['name'];

/** What is not counted by then is not counted: an answer that is late is of no use. */
const LIMIT_MS = 10_000;
/** Files asked for at a time; between two of them others get their turn. */
const AT_A_TIME = 32;
/** The unit of `stat`, whatever the disk's own is. */
const BLOCK_BYTES = 512;
/** Images that we make are named so. */
const OURS = /^vivarium-/;

/** Folders and files of the home by what they are for. */
function partOf(first: string, second: string | undefined, third: string | undefined): Part {
  if (first.startsWith('vivarium.db')) return 'record';
  if (first === 'snapshots') return 'snapshots';
  if (first === 'models') return 'models';
  if (first === 'patches') return 'patches';
  if (first === 'cache') return 'cache';
  if (first === 'logs') return 'logs';
  if (first === 'servers' && second !== undefined) {
    if (third === 'logs') return 'logs';
    if (third === 'cache') return 'cache';
  }
  return 'other';
}

/** Disk that is ours; blocks that files really take, as `du` counts. */
export async function diskUse(environment: Environment, signal: AbortSignal): Promise<DiskUse> {
  const { home } = environment.config;
  const bytes = new Map<Part, number>();
  const add = (part: Part, more: number): void =>
    void bytes.set(part, (bytes.get(part) ?? 0) + more);
  const until = performance.now() + LIMIT_MS;
  const images = await imageBytes(environment);
  let waiting: string[] = [];
  let complete = true;
  const flush = async (): Promise<void> => {
    const files = waiting;
    waiting = [];
    const sizes = await Promise.all(files.map(sizeOf));
    for (const [index, file] of files.entries()) {
      const [first = '', second, third] = path.relative(home, file).split(path.sep);
      add(partOf(first, second, third), sizes[index] ?? 0);
    }
  };
  for await (const file of filesBelow(home)) {
    waiting.push(file);
    if (waiting.length >= AT_A_TIME) await flush();
    signal.throwIfAborted();
    if (performance.now() > until) {
      complete = false;
      break;
    }
  }
  await flush();
  if (images !== null) add('images', images);
  const { bavail, bsize } = await statfs(await existing(home));
  const parts = [...bytes].map(([name, size]) => ({ name, bytes: size }));
  return { home, freeBytes: bavail * bsize, complete: complete && images !== null, parts };
}

/** Links are not followed; what goes away meanwhile is not missed. */
async function* filesBelow(folder: string): AsyncGenerator<string, void, void> {
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const full = path.join(next, entry.name);
        if (entry.isDirectory()) folders.push(full);
        else if (entry.isFile()) yield full;
      }
    } catch {
      continue;
    }
  }
}

function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    ({ blocks }) => blocks * BLOCK_BYTES,
    () => 0,
  );
}

async function existing(folder: string): Promise<string> {
  let at = folder;
  while ((await lstat(at).catch(() => null)) === null) at = path.dirname(at);
  return at;
}

/** Layers that images share count once for each; `null` = no engine answers. */
async function imageBytes(environment: Environment): Promise<number | null> {
  try {
    const images = await listImages(environment);
    const ours = images.filter(({ reference }) => OURS.test(reference));
    const once = new Map(ours.map(({ id, bytes }) => [id, bytes]));
    return [...once.values()].reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return null;
  }
}
