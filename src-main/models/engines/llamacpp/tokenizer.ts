import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, VivariumError } from '../../../lib/index.ts';
import { inspectModel } from '../../library/index.ts';
import type { ChatTokenizer } from './tokenizer-types.ts';

/**
 * Opens the tokenizer of a GGUF file; the weights are not read.
 * @param templateFile Jinja file that replaces the chat template of the model
 * @throws VivariumError `model_file_invalid`, `profile_invalid` for the template, `engine_failed`
 */
export async function openChatTokenizer(
  file: string,
  templateFile: string | null,
): Promise<ChatTokenizer> {
  const template = templateFile === null ? null : await readTemplate(templateFile);
  const given = template === null ? {} : { template: { source: 'the profile', text: template } };
  const { folder, entry, facts } = await inspectModel(file, given);
  if (facts.format !== 'gguf') {
    throw new VivariumError(
      'model_file_invalid',
      `${file} is no GGUF, and only a GGUF's tokenizer can be read here`,
      'Name a GGUF of the same model.',
    );
  }
  const { loadChatTokenizer } = await import('./server/chat-tokenizer.ts');
  return loadChatTokenizer(path.join(folder, entry), template);
}

async function readTemplate(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new VivariumError(
      'profile_invalid',
      `the chat template ${file} cannot be read: ${messageOf(error)}`,
      'Give a Jinja file that is there in the profile, or none.',
      error,
    );
  }
}
