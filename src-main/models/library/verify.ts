import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddProgress, LibraryModel, VerifyResult } from '../servers/library-types.ts';
import { digestBytes } from './file-digest.ts';
import { countProgress } from './progress.ts';

/** Reads every recorded file again; remembered checksums are not believed. */
export async function verifyFiles(
  model: LibraryModel,
  options: { signal?: AbortSignal; onProgress?: (progress: AddProgress) => void },
): Promise<VerifyResult> {
  const total = model.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const counter = countProgress('hashing', total, options.onProgress);
  const faults: VerifyResult['faults'] = [];
  for (const { path, bytes, sha256 } of model.files) {
    options.signal?.throwIfAborted();
    const file = join(model.folder, path);
    counter.file(path);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() !== true) faults.push({ path, fault: 'missing' });
    else if (found.size !== bytes) faults.push({ path, fault: 'size differs' });
    else if (!(await holds(file, sha256))) faults.push({ path, fault: 'sha256 differs' });
    else continue;
    // Faulty files were not read to their end.
    counter.add(0);
  }
  return { name: model.name, ok: faults.length === 0, files: model.files.length, faults };

  async function holds(file: string, sha256: string): Promise<boolean> {
    const found = await digestBytes([file], options.signal, counter.add).catch(() => null);
    options.signal?.throwIfAborted();
    return found === sha256;
  }
}
