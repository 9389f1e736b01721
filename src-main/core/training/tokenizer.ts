import { VivariumError } from '../../lib/index.ts';
import { openChatTokenizer, parseModelSpec, type ChatTokenizer } from '../../models/index.ts';
import type { Environment } from '../environment.ts';
import { profileOf } from '../session-model.ts';

/** Opens a tokenizer for as long as `work` takes; without a name there is none. */
export async function withTokenizer<T>(
  environment: Environment,
  name: string | undefined,
  work: (tokenizer: ChatTokenizer | undefined) => Promise<T> | T,
): Promise<T> {
  if (name === undefined) return work(undefined);
  const tokenizer = await openTokenizer(environment, name);
  try {
    return await work(tokenizer);
  } finally {
    await tokenizer.close();
  }
}

/** @throws VivariumError `model_not_found`, `model_spec_invalid`, `model_file_invalid` */
async function openTokenizer(environment: Environment, name: string): Promise<ChatTokenizer> {
  const spec = parseModelSpec(isPlainFile(name) ? `gguf:${name}` : name);
  if (spec.kind === 'gguf') return openChatTokenizer(spec.file, null);
  const profile = await profileOf(environment, spec);
  if (profile === null || spec.kind !== 'library') throw noGguf(name);
  const { entry } = await environment.models.library.get(spec.name);
  return openChatTokenizer(entry, profile.chatTemplate);
}

function isPlainFile(name: string): boolean {
  return /\.gguf$/i.test(name) && !name.startsWith('gguf:');
}

function noGguf(name: string): VivariumError {
  return new VivariumError(
    'model_spec_invalid',
    `${name} brings no tokenizer that can be read here`,
    'Name a GGUF of the same model: a file, or a model of `vivarium models list`.',
  );
}
