import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../../lib/index.ts';
import type { AddOptions, ModelFile } from '../servers/library-types.ts';
import { checkRoom, copyHashed } from './copy-file.ts';
import { digestFiles } from './file-digest.ts';
import type { InspectedModel } from './inspect.ts';
import { invalid, unreadable } from './invalid.ts';
import { countProgress } from './progress.ts';
import { readSums, type Sums } from './sums.ts';

export interface TakenIn {
  files: ModelFile[];
  sums: { file: string; checked: number } | null;
}

/**
 * Hashes the files of a model, copies them when a target is given, and holds them against the
 * checksums that lie beside them.
 *
 * @throws VivariumError `model_file_invalid`, `disk_full`, `store_failed`; the signal's reason
 */
export async function takeIn(
  model: InspectedModel,
  target: string | null,
  home: string,
  options: AddOptions,
): Promise<TakenIn> {
  const { folder } = model;
  const { signal } = options;
  const sums = await readSums(folder, model.facts.format === 'gguf' ? model.files : null);
  const others = [...(sums?.expected.keys() ?? [])].filter((path) => !model.files.includes(path));
  const sizes = await sizesOf(folder, [...model.files, ...others]);
  if (target !== null) await checkRoom(dirname(target), total(sizes, model.files));
  const counter = countProgress(
    target === null ? 'hashing' : 'copying',
    total(sizes, [...sizes.keys()]),
    options.onProgress,
  );
  const digest = async (path: string): Promise<string> => {
    counter.file(path);
    const source = join(folder, path);
    // What is recorded for good, and held against a list, is read, not remembered.
    const options = { onBytes: counter.add, fresh: true };
    return digestFiles([source], home, signal, options).catch((fault: unknown) => {
      signal?.throwIfAborted();
      throw unreadable(source, fault);
    });
  };
  // What is only listed, a README's picture for one, is checked first: it is small.
  for (const path of others) checkSum(sums, path, await digest(path));
  const files: ModelFile[] = [];
  for (const path of model.files) {
    signal?.throwIfAborted();
    const bytes = sizes.get(path) ?? 0;
    const sha256 = target === null ? await digest(path) : await copy(path);
    checkSum(sums, path, sha256);
    files.push({ path, bytes, sha256 });
  }
  if (target !== null) await syncFolder(target);
  return { files, sums: sums && { file: sums.file, checked: sums.expected.size } };

  async function copy(path: string): Promise<string> {
    counter.file(path);
    const to = join(target ?? '', path);
    await makeFolder(dirname(to), 0o700);
    const copied = await copyHashed(join(folder, path), to, signal, counter.add);
    if (copied.bytes === sizes.get(path)) return copied.sha256;
    throw invalid(
      `${join(folder, path)} changed while it was copied.`,
      'Wait until nothing writes to it any more, and add it again.',
    );
  }
}

async function sizesOf(folder: string, paths: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const stats = await stat(join(folder, path)).catch((fault: unknown) => {
      throw unreadable(join(folder, path), fault);
    });
    sizes.set(path, stats.size);
  }
  return sizes;
}

function total(sizes: ReadonlyMap<string, number>, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
}

function checkSum(sums: Sums | null, path: string, found: string): void {
  const expected = sums?.expected.get(path);
  if (sums === null || expected === undefined || expected === found) return;
  throw invalid(
    `${path} is not the file that ${sums.sourceOf(path)} lists: its sha256 is ${found}, listed is ${expected}.`,
    'Copy the file again from where it came from; if it is meant to differ, correct the list.',
  );
}
