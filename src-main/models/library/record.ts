import { lstat, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { libraryModelSchema } from '../../contract/index.ts';
import { VivariumError, messageOf, sha256, writeDurably } from '../../lib/index.ts';
import type { LibraryModel, ModelFile } from '../servers/library-types.ts';

const RECORD = 'model.json';
/** Folder of the copied files, beside the record. */
export const COPIED = 'files';

/** One name for all files of a model: sha256 over the sorted lines `SHA256  PATH`. */
export function sumOfFiles(files: readonly ModelFile[]): string {
  const lines = files.map((file) => `${file.sha256}  ${file.path}\n`);
  return sha256(lines.toSorted().join(''));
}

export async function writeRecord(folder: string, model: LibraryModel): Promise<void> {
  await writeDurably(join(folder, RECORD), `${JSON.stringify(model, null, 2)}\n`);
}

/**
 * The record in `HOME/models/NAME`; `null` when there is no such folder. Name and place come from
 * where it lies, so that a moved home, or a rename that was cut short, stays right.
 *
 * @throws VivariumError `model_file_invalid` when the record is missing or damaged
 */
export async function readRecord(shelf: string, name: string): Promise<LibraryModel | null> {
  const own = join(shelf, name);
  const found = await lstat(own).catch(() => null);
  if (found?.isDirectory() !== true) return null;
  const model = await parseRecord(join(own, RECORD), name);
  if (!model.copied) return { ...model, name };
  const folder = join(own, COPIED);
  return { ...model, name, folder, entry: join(folder, relative(model.folder, model.entry)) };
}

async function parseRecord(path: string, name: string): Promise<LibraryModel> {
  try {
    return libraryModelSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (fault) {
    const isMissing = (fault as NodeJS.ErrnoException).code === 'ENOENT';
    throw new VivariumError(
      'model_file_invalid',
      isMissing
        ? `The record of the model ${name} is missing (${path}).`
        : `The record of the model ${name} is damaged (${path}): ${firstLine(fault)}`,
      `Remove it with \`vivarium models remove ${name}\` and add its files again.`,
      fault,
    );
  }
}

function firstLine(fault: unknown): string {
  return `${messageOf(fault)
    .slice(0, 160)
    .replace(/[.\s]+$/, '')}.`;
}
