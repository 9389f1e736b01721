import { posix } from 'node:path';
import { VivariumError } from '../../../../lib/index.ts';
import type { Workspace } from '../../../../workspaces/index.ts';
import { readText, type TextFile } from '../../text/detect.ts';
import { EditorFault } from '../outcome.ts';

/** The most that is read of one file; what is larger is for `execute_bash`. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface Place {
  /** As the answers name it: Python's `str(Path(given))`. */
  shown: string;
  kind: 'file' | 'folder' | 'other' | null;
}

/** What stands at a path; links count as what they lead to. */
export async function placeOf(workspace: Workspace, given: string): Promise<Place> {
  const shown = pathText(given);
  const stat = await guarded(() => workspace.stat(shown));
  if (stat === undefined) return { shown, kind: null };
  if (stat.kind !== 'symlink') return { shown, kind: stat.kind };
  if (stat.target === undefined) return { shown, kind: null };
  const target = await guarded(() => workspace.stat(stat.target ?? ''));
  return { shown, kind: target?.kind === 'symlink' ? 'other' : (target?.kind ?? null) };
}

/** Python's Path drops `.` parts and doubled slashes, and keeps `..`. */
function pathText(given: string): string {
  const parts = given.split('/').filter((part) => part !== '' && part !== '.');
  const text = parts.join('/');
  if (given.startsWith('/')) return `/${text}`;
  return text === '' ? '.' : text;
}

export interface OpenFile {
  shown: string;
  bytes: Uint8Array;
  file: TextFile;
  /** With `\n` for every `\r\n`, as the original reads it. */
  text: string;
  realPath: string;
}

/** A text file as a whole. @throws EditorFault in the editor's words */
export async function openFile(workspace: Workspace, shown: string): Promise<OpenFile> {
  const read = await guarded(() => workspace.readFile(shown, { maxBytes: MAX_FILE_BYTES }));
  if (!read) throw new EditorFault(`The path '${shown}' does not exist.`);
  const { bytes, realPath } = read;
  if (read.totalBytes > bytes.length) {
    throw new EditorFault(`Failed to read file ${shown}: it has ${read.totalBytes} bytes`, {
      help: ['Look at it and change it with execute_bash, e.g. sed.'],
    });
  }
  const file = readText(bytes);
  if (!file) throw new EditorFault(`Failed to read file ${shown}: it is not text`);
  return { shown, bytes, file, text: plainText(file), realPath };
}

/** @throws EditorFault in the editor's words */
export async function saveFile(
  workspace: Workspace,
  shown: string,
  bytes: Uint8Array,
): Promise<{ realPath: string }> {
  return guarded(() => workspace.writeFile(shown, bytes));
}

export function plainText(file: TextFile): string {
  return file.text.replaceAll('\r\n', '\n').toWellFormed().replaceAll('\0', '\ufffd');
}

export function absolute(workspace: Workspace, shown: string): string {
  return posix.resolve(workspace.root, shown);
}

/** Refusals of the workspace are faults of the call; a lost one is not. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const codes = ['workspace_path', 'workspace_failed', 'disk_full'];
    if (!(error instanceof VivariumError) || !codes.includes(error.code)) throw error;
    throw new EditorFault(error.message);
  }
}
