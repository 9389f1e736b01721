import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '../../lib/index.ts';

/** Where lines end up on disk; losing them never disturbs the caller. */
export interface LogFiles {
  write(line: string): void;
  close(): void;
}

export interface LogFilesOptions {
  /** The current file; earlier ones are `FILE.1` (youngest) and so on. */
  file: string;
  fileBytes: number;
  /** Files kept in all. With 1, a full log takes no more. */
  files: number;
}

const FLUSH_MS = 50;
/** More than this is written at once: a flood of output must not wait in memory. */
const FLUSH_CHARACTERS = 64 * 1024;

/** Appends to a file and starts the next one when it is full. */
export function openLogFiles(options: LogFilesOptions): LogFiles {
  let fd = open(options.file);
  let bytes = sizeOf(options.file);
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const rotate = (): void => {
    if (fd !== null) closeSync(fd);
    shift(options.file, options.files);
    fd = open(options.file);
    bytes = 0;
  };
  const put = (text: string): void => {
    if (fd === null) return;
    try {
      writeSync(fd, text);
    } catch {
      // A full disk costs the log, not the model.
    }
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') put(text);
  };
  return {
    write: (line) => {
      if (closed) return;
      const size = Buffer.byteLength(line) + 1;
      if (bytes > options.fileBytes && options.files === 1) return;
      bytes += size;
      if (bytes > options.fileBytes) {
        if (options.files === 1) {
          waiting += 'The log is full; later lines are left out.\n';
          return flush();
        }
        flush();
        rotate();
        bytes = size;
      }
      waiting += `${line}\n`;
      if (waiting.length > FLUSH_CHARACTERS) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    close: () => {
      flush();
      closed = true;
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

function open(file: string): number | null {
  try {
    makeFolderSync(dirname(file), 0o700);
    return openSync(file, 'a', 0o600);
  } catch {
    return null;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function shift(file: string, files: number): void {
  try {
    rmSync(`${file}.${files - 1}`, { force: true });
    for (let index = files - 2; index >= 1; index -= 1) move(`${file}.${index}`, index + 1, file);
    move(file, 1, file);
  } catch {
    // The current file then grows on; the next turn may succeed.
  }
}

function move(from: string, index: number, file: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${index}`);
}
