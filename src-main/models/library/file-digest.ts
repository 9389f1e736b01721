import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder, writeDurably } from '../../lib/index.ts';

const entry = z.object({
  size: z.number(),
  modifiedMs: z.number(),
  inode: z.number(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const cacheSchema = z.record(z.string(), entry);
type Entry = z.infer<typeof entry>;

export interface DigestOptions {
  onBytes?: (bytes: number) => void;
  /** Read the files even if their sum is remembered; it is remembered anew. */
  fresh?: boolean;
}

/**
 * sha256 over the files one after the other, in lower-case hexadecimal. Results are kept in
 * `HOME/cache/sha256.json` and reused while size, time of change and inode of a file stay the same:
 * 10 GB take some 10 s to read.
 */
export async function digestFiles(
  files: readonly string[],
  home: string,
  signal?: AbortSignal,
  options: DigestOptions = {},
): Promise<string> {
  const { onBytes = () => {}, fresh = false } = options;
  const cacheFile = join(home, 'cache', 'sha256.json');
  const name = files.join('\n');
  const found = await factsOf(files);
  const known = (await readCache(cacheFile))[name];
  if (!fresh && known !== undefined && isSame(known, found)) {
    onBytes(found.size);
    return known.sha256;
  }
  const sha256 = await digestBytes(files, signal, onBytes);
  await remember(cacheFile, name, { ...found, sha256 });
  return sha256;
}

/** As {@link digestFiles}, but always read, and not remembered: what `verify` is for. */
export async function digestBytes(
  files: readonly string[],
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256');
  // A megabyte at a time takes about a millisecond, so nothing else waits for long.
  for (const file of files) {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      signal?.throwIfAborted();
      hash.update(chunk as Buffer);
      onBytes((chunk as Buffer).length);
    }
  }
  return hash.digest('hex');
}

/** Sums, so that a change of any part shows. */
async function factsOf(files: readonly string[]): Promise<Omit<Entry, 'sha256'>> {
  const facts = { size: 0, modifiedMs: 0, inode: 0 };
  for (const file of files) {
    const stats = await stat(file);
    facts.size += stats.size;
    facts.modifiedMs += stats.mtimeMs;
    facts.inode += stats.ino;
  }
  return facts;
}

function isSame(known: Entry, found: Omit<Entry, 'sha256'>): boolean {
  return (
    known.size === found.size &&
    known.modifiedMs === found.modifiedMs &&
    known.inode === found.inode
  );
}

/** A cache that cannot be read is an empty one. */
async function readCache(file: string): Promise<Record<string, Entry>> {
  try {
    return cacheSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return {};
  }
}

async function remember(file: string, name: string, value: Entry): Promise<void> {
  try {
    await makeFolder(dirname(file), 0o700);
    const next = { ...(await readCache(file)), [name]: value };
    await writeDurably(file, JSON.stringify(next, null, 1));
  } catch {
    // Only a later start is slower.
  }
}
