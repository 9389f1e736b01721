import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { contentKind, refuseKind } from './content-kind.ts';
import { listed, refuseAdapter } from './folder/weights.ts';
import { stemOf } from './gguf/facts.ts';
import { damaged, invalid, unreadable } from './invalid.ts';

export type Located =
  | { format: 'gguf'; folder: string; file: string }
  | { format: 'safetensors'; folder: string; names: string[] };

const MODEL_FILE = /\.(?:gguf|safetensors|json|jinja|model|tiktoken)$/i;
const PICKLE = /\.(?:bin|pt|pth|ckpt|pkl|pickle)$/i;
const ARCHIVE = /\.(?:zip|tar|tgz|gz|xz|zst|bz2|7z|rar)$/i;

/**
 * Which model a path means: a GGUF file or any part of one, a Hugging Face folder, or a folder with
 * one GGUF. Links are followed for the folder; within it files keep their names, since in Hugging
 * Face's cache they are links to files named by their checksum.
 *
 * @throws VivariumError `model_file_invalid`
 */
export async function locateModel(path: string): Promise<Located> {
  const given = resolve(path);
  const stats = await stat(given).catch((fault: unknown) => {
    throw unreadable(given, fault);
  });
  if (!stats.isDirectory()) return locateFile(given);
  const folder = await realpath(given);
  const names = await plainFiles(folder);
  const hasConfig = names.includes('config.json');
  if (hasConfig && names.some((name) => name.endsWith('.safetensors'))) {
    return { format: 'safetensors', folder, names };
  }
  const models = await ggufsOf(folder, names);
  const [one, ...others] = models;
  if (others.length > 0) {
    throw invalid(
      `${folder} holds several models: ${listed(models)}.`,
      'Give the file of the one you want; of a split model, any part.',
    );
  }
  if (one !== undefined) return { format: 'gguf', folder, file: join(folder, one) };
  if (hasConfig) return { format: 'safetensors', folder, names };
  throw await refuseFolder(folder, names);
}

async function locateFile(given: string): Promise<Located> {
  const kind = await contentKind(given);
  const folder = await realpath(dirname(given));
  const file = join(folder, basename(given));
  if (kind === 'gguf') return { format: 'gguf', folder, file };
  const { size } = await stat(given);
  if (size > 0 && size < 4 && /\.gguf$/i.test(given)) {
    throw damaged(given, `it has ${size} bytes`);
  }
  throw refuseKind(given, kind);
}

/**
 * Names of the files; links count as what they lead to. Hidden files do not count: a Mac leaves one
 * beside every file it writes to a stick, with the same extension.
 */
async function plainFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((fault: unknown) => {
    throw unreadable(folder, fault);
  });
  const found: string[] = [];
  for (const name of entries.filter((name) => !name.startsWith('.')).toSorted()) {
    const stats = await stat(join(folder, name)).catch((fault: unknown) => {
      if (!MODEL_FILE.test(name)) return null;
      const { code } = fault as NodeJS.ErrnoException;
      if (code !== 'ENOENT') throw unreadable(join(folder, name), fault);
      throw invalid(
        `${join(folder, name)} is a link to a file that is not there.`,
        'Copy the folder once more with its links followed (cp -rL).',
      );
    });
    if (stats?.isFile() === true) found.push(name);
  }
  return found;
}

/** One name for each GGUF model; parts of one count once, vision parts not at all. */
async function ggufsOf(folder: string, names: readonly string[]): Promise<string[]> {
  const models = new Map<string, string>();
  for (const name of names) {
    if (/mmproj/i.test(name) || MODEL_FILE.test(name.replace(/\.gguf$/i, ''))) continue;
    const isNamed = /\.gguf$/i.test(name);
    const kind = await contentKind(join(folder, name)).catch((fault: unknown) => {
      if (isNamed) throw fault;
      return 'unknown' as const;
    });
    if (kind === 'gguf') {
      if (!models.has(stemOf(name))) models.set(stemOf(name), name);
    } else if (isNamed) throw refuseKind(join(folder, name), kind);
  }
  return [...models.values()];
}

async function refuseFolder(folder: string, names: readonly string[]): Promise<Error> {
  if (names.includes('adapter_config.json')) return refuseAdapter(folder);
  if (names.some((name) => name.endsWith('.safetensors'))) {
    return invalid(
      `${folder} has no config.json.`,
      'Give the folder of the model as it was published, with all its small files.',
    );
  }
  for (const pattern of [PICKLE, ARCHIVE]) {
    const name = names.find((name) => pattern.test(name));
    if (name === undefined) continue;
    const kind = await contentKind(join(folder, name));
    if (['pickle', 'zip', 'archive', 'lfs pointer'].includes(kind)) {
      return refuseKind(join(folder, name), kind);
    }
  }
  const inner = await innerModel(folder, 3);
  return invalid(
    `${folder} holds no model: neither a config.json nor a GGUF file lies in it.`,
    inner === null
      ? 'Give a GGUF file, or the folder of a model with config.json and safetensors files.'
      : `A model lies deeper: give ${inner}.`,
  );
}

/** The first folder below that looks like a model; bounded, since it may be anybody's disk. */
async function innerModel(folder: string, depth: number): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).slice(0, 50);
  for (const { name } of folders) {
    const inner = join(folder, name);
    const names = await readdir(inner).catch(() => []);
    if (names.some((name) => name === 'config.json' || /\.gguf$/i.test(name))) return inner;
  }
  if (depth <= 1) return null;
  for (const { name } of folders) {
    const found = await innerModel(join(folder, name), depth - 1);
    if (found !== null) return found;
  }
  return null;
}
