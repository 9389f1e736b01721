import { createHash } from 'node:crypto';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { VivariumError, formatSize, messageOf } from '../../lib/index.ts';
import { unreadable } from './invalid.ts';

const CHUNK_BYTES = 1 << 20;
/** Left free beside the copy: records, logs, and what others write meanwhile. */
const SPARE_BYTES = 64 * 2 ** 20;

/** @throws VivariumError `disk_full` when the folder's disk has not that much room */
export async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + SPARE_BYTES) return;
  throw new VivariumError(
    'disk_full',
    `The copy needs ${formatSize(bytes)}, and ${folder} has ${formatSize(free)} free.`,
    'Make room, put VIVARIUM_HOME on a larger disk, or add the model without --copy.',
  );
}

/**
 * Copies the contents of a file (not its links) and hashes what it reads on the way. On disk when
 * this resolves.
 *
 * @returns sha256 in lower-case hexadecimal, and the bytes
 * @throws VivariumError `model_file_invalid` (source), `disk_full`, `store_failed` (target); the
 * signal's reason
 */
export async function copyHashed(
  source: string,
  target: string,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  const from = await open(source, 'r').catch((fault: unknown) => {
    throw unreadable(source, fault);
  });
  try {
    const to = await open(target, 'wx', 0o600).catch((fault: unknown) => {
      throw unwritable(target, fault);
    });
    try {
      return await pump({ from, source, to, target }, signal, onBytes);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

interface Pair {
  from: FileHandle;
  source: string;
  to: FileHandle;
  target: string;
}

async function pump(
  { from, source, to, target }: Pair,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await from.read(buffer, 0, CHUNK_BYTES, null).catch((fault: unknown) => {
      throw unreadable(source, fault);
    });
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await to.writeFile(chunk).catch((fault: unknown) => {
      throw unwritable(target, fault);
    });
    bytes += bytesRead;
    onBytes(bytesRead);
  }
  await to.sync().catch((fault: unknown) => {
    throw unwritable(target, fault);
  });
  return { sha256: hash.digest('hex'), bytes };
}

/** Why the library could not be written. */
export function unwritable(path: string, fault: unknown): VivariumError {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new VivariumError(
      'disk_full',
      `The disk is full: ${path} could not be written.`,
      'Make room, put VIVARIUM_HOME on a larger disk, or add the model without --copy.',
      fault,
    );
  }
  return new VivariumError(
    'store_failed',
    `${path} could not be written: ${messageOf(fault)}.`,
    'Check the permissions of VIVARIUM_HOME and the disk it lies on.',
    fault,
  );
}
