import type { Platform } from './platform.ts';

/** What was dropped on the page, as far as it is of use. */
export type Dropped =
  | { kind: 'folder'; path: string }
  /** A single file; a repository is a folder. */
  | { kind: 'file' }
  /** The shell does not tell where it lies. */
  | { kind: 'no path' };

type Transfer = Pick<DataTransfer, 'files' | 'items' | 'types'>;

/** Whether files or folders are dragged, rather than text. */
export function carriesFiles(transfer: Pick<DataTransfer, 'types'> | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}

/** Reads a drop; only while its event is handled, later there is nothing in it. `null` = no files. */
export function droppedFolder(
  transfer: Transfer | null,
  { pathOfFile }: Pick<Platform, 'pathOfFile'>,
): Dropped | null {
  const file = transfer?.files[0];
  if (transfer === null || file === undefined) return null;
  if (transfer.items[0]?.webkitGetAsEntry()?.isFile === true) return { kind: 'file' };
  const path = pathOfFile?.(file) ?? null;
  return path === null ? { kind: 'no path' } : { kind: 'folder', path };
}
