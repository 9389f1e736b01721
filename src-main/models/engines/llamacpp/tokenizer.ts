import { findModelFiles } from '../../library/gguf/find-parts.ts';
import type { ChatTokenizer } from './tokenizer-types.ts';

/**
 * Opens the tokenizer of a GGUF file; the weights are not read.
 * @param template Jinja file that replaces the chat template of the model
 * @throws VivariumError `model_file_invalid`, `engine_failed`
 */
export async function openChatTokenizer(
  file: string,
  template: string | null,
): Promise<ChatTokenizer> {
  const [first] = await findModelFiles(file);
  const { loadChatTokenizer } = await import('./server/chat-tokenizer.ts');
  return loadChatTokenizer(first, template);
}
