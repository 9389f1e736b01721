import { relative } from 'node:path';
import type { ModelFacts } from '../servers/library-types.ts';
import type { FoundTemplate } from './chat-template.ts';
import { folderName, readFolderModel } from './folder/read-folder.ts';
import { factsOfGguf, stemOf } from './gguf/facts.ts';
import { readGgufModel } from './gguf/read-model.ts';
import { locateModel } from './locate.ts';

export interface InspectedModel {
  /** Absolute, links resolved. */
  folder: string;
  /** Relative to the folder; what belongs to the model. */
  files: string[];
  /** What an engine is given, relative to the folder: `` (the folder) or the first part. */
  entry: string;
  facts: ModelFacts;
  /** As its publisher called it; not yet a safe name. */
  title: string;
}

/**
 * Reads and checks a model where it lies, headers only.
 *
 * @param template for a file without one, where the profile brings its own
 * @throws VivariumError `model_file_invalid`
 */
export async function inspectModel(
  path: string,
  options: { onFile?: (path: string) => void; template?: FoundTemplate } = {},
): Promise<InspectedModel> {
  const located = await locateModel(path);
  const { folder } = located;
  if (located.format === 'safetensors') {
    const { files, facts } = await readFolderModel(folder, located.names, options.onFile);
    return { folder, files, entry: '', facts, title: folderName(folder) };
  }
  const model = await readGgufModel(located.file, options.onFile);
  const facts = await factsOfGguf(model, options.template);
  const files = model.parts.map((part) => relative(folder, part));
  const stem = stemOf(located.file);
  const title = /^(?:model|ggml-model.*)$/i.test(stem) ? (facts.names[0] ?? stem) : stem;
  return { folder, files, entry: files[0] ?? '', facts, title };
}
