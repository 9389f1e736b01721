import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogOptions } from './types.ts';

/** More than this is not read for the last lines. */
const TAIL_BYTES = 4 * 2 ** 20;
const CHUNK_BYTES = 64 * 1024;

/**
 * The last lines of a log file, then, with `follow`, new ones as they are written. `fileOf` is asked
 * again each time, so that the log of a new start is followed too; `null` = there is none yet.
 */
export async function* readLog(
  fileOf: () => Promise<string | null>,
  { lines, follow, everyMs, signal }: LogOptions,
): AsyncIterable<string[]> {
  let file = await fileOf();
  let position = 0;
  let rest = '';
  if (file !== null) {
    const tail = await tailOf(file, lines);
    position = tail.position;
    if (tail.lines.length > 0) yield tail.lines;
  }
  if (!follow) return;
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    const now = await fileOf();
    if (now !== file) {
      file = now;
      position = 0;
      rest = '';
    }
    if (file === null || signal.aborted) continue;
    const more = await readFrom(file, position);
    position = more.position;
    const complete = (rest + more.text).split('\n');
    rest = complete.pop() ?? '';
    if (complete.length > 0) yield complete;
  }
}

async function tailOf(file: string, count: number): Promise<{ lines: string[]; position: number }> {
  const handle = await openLog(file);
  if (handle === null) return { lines: [], position: 0 };
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { bytesRead, buffer } = await handle.read(
      Buffer.alloc(size - from),
      0,
      size - from,
      from,
    );
    const text = buffer.toString('utf8', 0, bytesRead);
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.slice(0, end).split('\n').slice(0, -1);
    const position = from + Buffer.byteLength(text.slice(0, end));
    return { lines: lines.slice(-count), position };
  } finally {
    await handle.close();
  }
}

/** What was written since; from the start when the file became shorter (a new one of that name). */
async function readFrom(
  file: string,
  position: number,
): Promise<{ text: string; position: number }> {
  const handle = await openLog(file);
  if (handle === null) return { text: '', position: 0 };
  try {
    const { size } = await handle.stat();
    const from = size < position ? 0 : position;
    const length = Math.min(CHUNK_BYTES, size - from);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from);
    // Not in the middle of a character: what follows the last line break waits for the next look.
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
    const taken = end === 0 && bytesRead === CHUNK_BYTES ? bytesRead : end;
    return { text: buffer.toString('utf8', 0, taken), position: from + taken };
  } finally {
    await handle.close();
  }
}

async function openLog(file: string): Promise<FileHandle | null> {
  return open(file, 'r').catch(() => null);
}
