import type { LlamaModel, Token } from 'node-llama-cpp';

/** Tokens that may be held back while they end in the middle of a character. */
const MAX_PENDING = 8;
/** Earlier tokens the tokenizer wants to see to decide on blanks. */
const CONTEXT_TOKENS = 4;
/** Beyond this the earlier tokens are cut back: to do that at each token would cost a call of its own. */
const MAX_CONTEXT_TOKENS = 16;

/** Turns tokens into text as they come; half a character waits for its other half. */
export interface TextDecoder {
  push(token: Token): string;
  /** What is still held back, once no more tokens come. */
  end(): string;
}

/** One call of the tokenizer for each token: at a thousand tokens a second they are what costs. */
export function createTextDecoder(
  model: Pick<LlamaModel, 'detokenize'>,
  before: readonly Token[],
): TextDecoder {
  // Special tokens stay visible: call and reasoning markers are special in some models.
  const textOf = (tokens: readonly Token[]): string => model.detokenize(tokens, true);
  let shown: Token[] = before.slice(-CONTEXT_TOKENS);
  let shownText = textOf(shown);
  let pending: Token[] = [];

  const read = (): { whole: string; piece: string } => {
    const whole = textOf([...shown, ...pending]);
    if (whole.startsWith(shownText)) return { whole, piece: whole.slice(shownText.length) };
    return { whole, piece: textOf(pending) };
  };
  const accept = (whole: string): void => {
    shown.push(...pending);
    shownText = whole;
    pending = [];
    if (shown.length <= MAX_CONTEXT_TOKENS) return;
    shown = shown.slice(-CONTEXT_TOKENS);
    shownText = textOf(shown);
  };
  return {
    push: (token) => {
      pending.push(token);
      const { whole, piece } = read();
      if (piece.endsWith('\uFFFD') && pending.length < MAX_PENDING) return '';
      accept(whole);
      return piece;
    },
    end: () => {
      if (pending.length === 0) return '';
      const { whole, piece } = read();
      accept(whole);
      return piece;
    },
  };
}
