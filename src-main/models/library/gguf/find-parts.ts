import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { VivariumError, messageOf, openPlainFile } from '../../../lib/index.ts';

/** Name of one part of a split GGUF: `NAME-00001-of-00003.gguf`. */
const PART = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * The files of a model, given any of its parts: the file itself, or all parts in order. Checks that
 * they are there and start like a GGUF; everything deeper is checked by the engine itself.
 *
 * @throws VivariumError `model_file_invalid`.
 */
export async function findModelFiles(file: string): Promise<[string, ...string[]]> {
  await checkIsGguf(file);
  const part = PART.exec(basename(file));
  if (part === null) return [file];
  const [, name = '', , total = ''] = part;
  const wanted = Array.from(
    { length: Number(total) },
    (_, index) => `${name}-${String(index + 1).padStart(5, '0')}-of-${total}.gguf`,
  );
  const present = new Set(await readdir(dirname(file)));
  const missing = wanted.filter((part) => !present.has(part));
  if (missing.length > 0) {
    throw new VivariumError(
      'model_file_invalid',
      `Parts of the model are missing: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? `, and ${missing.length - 3} more` : ''}.`,
      `Put all ${wanted.length} parts into one folder.`,
    );
  }
  const paths = wanted.map((part) => join(dirname(file), part));
  const [first, ...rest] = paths;
  if (first === undefined) return [file];
  return [first, ...rest];
}

async function checkIsGguf(file: string): Promise<void> {
  let magic: string;
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) {
      throw new VivariumError(
        'model_file_invalid',
        `${file} is a folder, not a model file.`,
        'Give the .gguf file inside it; of a split model, any part.',
      );
    }
    magic = await readMagic(file);
  } catch (error) {
    if (error instanceof VivariumError) throw error;
    throw new VivariumError(
      'model_file_invalid',
      `The model file ${file} cannot be read: ${reasonOf(error)}.`,
      'Check the path and its permissions.',
      error,
    );
  }
  if (magic === 'GGUF') return;
  throw new VivariumError(
    'model_file_invalid',
    magic === '' ? `The model file ${file} is empty.` : `${file} is not a GGUF file.`,
    'Give a model file in the GGUF format, whatever its extension.',
  );
}

async function readMagic(file: string): Promise<string> {
  const handle = await openPlainFile(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission denied';
  return messageOf(error);
}
