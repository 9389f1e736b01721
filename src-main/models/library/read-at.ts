import { type FileHandle, open, stat } from 'node:fs/promises';
import { damaged, invalid, unreadable } from './invalid.ts';

/** A file that is read in pieces, never past its end, never more than asked for. */
export interface PiecewiseFile {
  readonly path: string;
  readonly bytes: number;
  /** @throws VivariumError `model_file_invalid` when the file ends before `offset + length`. */
  read(offset: number, length: number): Promise<Buffer>;
  /** As `read`, but as much as there is. */
  readUpTo(offset: number, length: number): Promise<Buffer>;
}

/**
 * Opens a regular file (links are followed), hands it to `use`, and closes it. Anything else, such
 * as a pipe, is refused before it is opened, since opening that could wait for ever.
 *
 * @throws VivariumError `model_file_invalid`; what `use` throws.
 */
export async function withFile<T>(
  path: string,
  use: (file: PiecewiseFile) => Promise<T>,
): Promise<T> {
  const stats = await stat(path).catch((fault: unknown) => {
    throw unreadable(path, fault);
  });
  if (stats.isDirectory()) throw invalid(`${path} is a folder, not a file.`, 'Give a file.');
  if (!stats.isFile()) {
    throw invalid(`${path} is not a regular file.`, 'Give a file that lies on a disk.');
  }
  const handle = await open(path, 'r').catch((fault: unknown) => {
    throw unreadable(path, fault);
  });
  try {
    return await use(piecewise(handle, path, stats.size));
  } finally {
    await handle.close();
  }
}

function piecewise(handle: FileHandle, path: string, bytes: number): PiecewiseFile {
  const readUpTo = async (offset: number, wanted: number): Promise<Buffer> => {
    const length = Math.max(0, Math.min(wanted, bytes - offset));
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle
        .read(buffer, filled, length - filled, offset + filled)
        .catch((fault: unknown) => {
          throw unreadable(path, fault);
        });
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  };
  return {
    path,
    bytes,
    readUpTo,
    async read(offset, length) {
      if (offset + length > bytes) throw damaged(path, 'it ends within its header');
      const found = await readUpTo(offset, length);
      if (found.length < length) throw damaged(path, 'it became shorter while it was read');
      return found;
    },
  };
}

/**
 * The text of a small file; `null` when it is not there.
 *
 * @throws VivariumError `model_file_invalid` when it cannot be read or is larger than the limit.
 */
export async function readSmall(path: string, limitBytes: number): Promise<string | null> {
  const found = await stat(path).catch((fault: unknown) => {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(path, fault);
  });
  if (found === null) return null;
  return withFile(path, async (file) => {
    if (file.bytes > limitBytes) {
      throw invalid(
        `${path} has ${file.bytes} bytes, far more than such a file has.`,
        'Check that the folder holds the model as it was published.',
      );
    }
    const text = (await file.readUpTo(0, file.bytes)).toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  });
}
