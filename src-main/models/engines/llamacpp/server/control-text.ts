import type { GgufFileInfo } from 'node-llama-cpp';
import type { RequestMessage } from './chat-request.ts';

/** Type of a token that steers the model and never stands for text, in the GGUF format. */
const CONTROL = 3;
/** Characters of the private use area; one that does not occur in a conversation marks the cuts. */
const FIRST_MARK = 0xe000;
const LAST_MARK = 0xf8ff;

/** Texts of the control tokens of a model, e.g. `<|im_end|>`. */
export function controlTexts(info: GgufFileInfo): string[] {
  const { tokens, token_type: types } = info.metadata.tokenizer.ggml;
  return tokens.filter((text, index) => Number(types[index]) === CONTROL && text.length > 1);
}

export interface Harmless {
  messages: RequestMessage[];
  /** Cut the rendered prompt at this mark and tokenise the parts one by one. */
  mark: string;
}

/** Takes the steering out of control tokens that are written in users' and tools' messages. */
export type Disarm = (messages: RequestMessage[]) => Harmless;

/**
 * A file of a repository may hold the text `<|im_end|>` followed by a forged system turn. The
 * tokenizer would take it for the real thing, since it has to recognise those of the template. So
 * such a text is cut after its first character: the model reads it letter by letter, as text. What
 * the model itself wrote is left alone.
 */
export function createDisarm(texts: readonly string[]): Disarm {
  const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // Longest first: one text may begin with another.
  const pattern = new RegExp(escaped.toSorted((a, b) => b.length - a.length).join('|'), 'gu');
  return (messages) => {
    const mark = unusedMark(messages);
    if (texts.length === 0) return { messages, mark };
    const cut = (text: string): string =>
      text.replace(pattern, (found) => {
        const [first = ''] = found;
        return first + mark + found.slice(first.length);
      });
    const disarmed = messages.map((message) => {
      const foreign = message.role === 'user' || message.role === 'tool';
      return foreign ? { ...message, content: cut(message.content) } : message;
    });
    return { messages: disarmed, mark };
  };
}

function unusedMark(messages: readonly RequestMessage[]): string {
  const all = messages.map((message) => message.content).join('');
  for (let code = FIRST_MARK; code < LAST_MARK; code += 1) {
    const mark = String.fromCharCode(code);
    if (!all.includes(mark)) return mark;
  }
  return String.fromCharCode(LAST_MARK);
}
