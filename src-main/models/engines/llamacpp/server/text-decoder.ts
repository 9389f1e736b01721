import type { LlamaModel, Token } from 'node-llama-cpp';

/** Tokens that may be held back while they end in the middle of a character. */
const MAX_PENDING = 8;
/** Earlier tokens the tokenizer wants to see to decide on blanks. */
const CONTEXT_TOKENS = 4;

/** Turns tokens into text as they come; half a character waits for its other half. */
export interface TextDecoder {
  push(token: Token): string;
  /** What is still held back, once no more tokens come. */
  end(): string;
}

export function createTextDecoder(
  model: Pick<LlamaModel, 'detokenize'>,
  before: readonly Token[],
): TextDecoder {
  let shown = before.slice(-CONTEXT_TOKENS);
  let pending: Token[] = [];
  const flush = (): string => {
    // Special tokens stay visible: call and reasoning markers are special in some models.
    const text = model.detokenize(pending, true, shown);
    shown = [...shown, ...pending].slice(-CONTEXT_TOKENS);
    pending = [];
    return text;
  };
  return {
    push: (token) => {
      pending.push(token);
      const text = model.detokenize(pending, true, shown);
      if (text.endsWith('\uFFFD') && pending.length < MAX_PENDING) return '';
      return flush();
    },
    end: () => (pending.length === 0 ? '' : flush()),
  };
}
