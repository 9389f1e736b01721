import { open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  codeOf,
  makeFolder,
  newId,
  placeNew,
  syncFolder,
  unwritable,
  VivariumError,
} from '../lib/index.ts';
import { mboxOf } from './mbox.ts';
import type { MailFacts } from './mbox.ts';

/** A file of an export: its name is the common name plus the suffix. */
export interface ExportFile {
  /** E.g. `.patch`, `.trajectory.json`. */
  suffix: string;
  bytes: Uint8Array;
}

/**
 * Writes files that belong together into `out` (made when missing) as NAME + suffix; when one of
 * these names is taken, all become NAME-2 + suffix, and so on. Nothing that exists is overwritten or
 * followed; each file is there as a whole or not at all. Returns the absolute paths in order.
 * Throws VivariumError `out_unwritable` or `disk_full`; nothing is left behind then.
 */
export async function exportFiles(
  out: string,
  name: string,
  files: readonly ExportFile[],
): Promise<string[]> {
  const folder = resolve(out);
  try {
    await makeFolder(folder);
    for (let number = 1; number <= MAX_NUMBER; number += 1) {
      const stem = number === 1 ? safeName(name) : `${safeName(name)}-${number}`;
      const paths = await tryExport(folder, stem, files);
      if (paths !== undefined) return paths;
    }
  } catch (fault) {
    throw unwritable(folder, fault);
  }
  throw unwritable(folder, new Error(`too many files named ${safeName(name)}`));
}

/**
 * Writes a patch into `out`: `patch` as its raw bytes in NAME.patch, `mbox` as a mail for `git am`
 * in NAME.mbox. Names and errors as {@link exportFiles}. Returns the absolute path.
 */
export async function exportPatch(
  patch: Uint8Array,
  options: { out: string; name: string } & (
    | { format: 'patch' }
    | { format: 'mbox'; mail: MailFacts }
  ),
): Promise<string> {
  if (patch.length === 0) {
    throw new VivariumError(
      'nothing_to_export',
      'there is no change to export',
      'Look at the session with `vivarium show`; start a new one to try again.',
    );
  }
  const file: ExportFile =
    options.format === 'patch'
      ? { suffix: '.patch', bytes: patch }
      : { suffix: '.mbox', bytes: mboxOf(patch, options.mail) };
  const [path] = await exportFiles(options.out, options.name, [file]);
  return path ?? '';
}

const MAX_NUMBER = 10_000;

/** All or none: `undefined` when one of the names is taken. */
async function tryExport(
  folder: string,
  stem: string,
  files: readonly ExportFile[],
): Promise<string[] | undefined> {
  const made: string[] = [];
  let complete = false;
  try {
    for (const { suffix, bytes } of files) {
      const path = join(folder, `${stem}${suffix}`);
      if (!(await writeNew(path, bytes))) return undefined;
      made.push(path);
    }
    await syncFolder(folder);
    complete = true;
    return made;
  } finally {
    if (!complete) await Promise.all(made.map((path) => rm(path, { force: true })));
  }
}

/** Writes a file that is not there yet, in one step; `false` when something has its name. */
async function writeNew(path: string, bytes: Uint8Array): Promise<boolean> {
  const temporary = `${path}.${newId(6)}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await claim(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function claim(temporary: string, path: string): Promise<boolean> {
  try {
    await placeNew(temporary, path);
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return false;
    throw fault;
  }
}

/** A name that is one plain file name everywhere. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 100);
  return plain === '' ? 'vivarium' : plain;
}
