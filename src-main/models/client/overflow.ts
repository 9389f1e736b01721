/**
 * Texts by which servers say that a request does not fit their window: vLLM, SGLang, llama.cpp,
 * OpenAI and, last, a few others. All were taken from the servers' sources or error reports.
 */
const OVERFLOW_TEXTS: readonly RegExp[] = [
  /maximum context length/i,
  /context_length_exceeded|exceed_context_size/i,
  /exceeds? the (?:model'?s )?(?:available )?context (?:size|window|length)/i,
  /longer than the (?:maximum model|model'?s (?:maximum )?context) length/i,
  /context length is only \d/i,
  /maximum (?:input|model) length of \d/i,
  /prompt is too long/i,
  /context (?:size|length|window) (?:has been |was )?exceeded/i,
];

const WINDOW_TEXTS: readonly RegExp[] = [
  /maximum context length (?:is|of) (\d+)/i,
  /context length is only (\d+)/i,
  /context (?:size|length|window)(?: of)? \(?(\d+)/i,
  /maximum (?:input|model) length of (\d+)/i,
  /"?n_ctx"?\s*[:=]\s*(\d+)/i,
  /> (\d+) maximum/i,
];

const PROMPT_TEXTS: readonly RegExp[] = [
  /(\d+) in the messages/i,
  /(?:has|passed|contains) (\d+) input tokens/i,
  /(\d+) tokens from the input/i,
  /messages resulted in (\d+) tokens/i,
  /request \((\d+) tokens\)/i,
  /input \((\d+) tokens\)/i,
  /prompt \(length (\d+)\)/i,
  /"?n_prompt_tokens"?\s*[:=]\s*(\d+)/i,
  /too long: (\d+) tokens/i,
];

/** vLLM stops counting there, so its number is a lower bound and says nothing about what is left. */
const AT_LEAST = /at least \d+ input tokens/i;

/** What the server said about a request that is too large for its window. */
export interface Overflow {
  /** Tokens of the window and of the prompt; `null` where the text does not tell. */
  windowTokens: number | null;
  promptTokens: number | null;
  /** The number of prompt tokens is only a lower bound. */
  atLeast: boolean;
}

/** Reads an error text; `null` when it is about something else. */
export function readOverflow(text: string): Overflow | null {
  const plain = text.replace(/(\d),(?=\d{3}\b)/g, '$1');
  if (!OVERFLOW_TEXTS.some((pattern) => pattern.test(plain))) return null;
  return {
    windowTokens: firstNumber(plain, WINDOW_TEXTS),
    promptTokens: firstNumber(plain, PROMPT_TEXTS),
    atLeast: AT_LEAST.test(plain),
  };
}

/** Room kept free, since servers disagree by a few tokens on what still fits. */
const MARGIN_TOKENS = 8;
/** A shorter reply could not even hold a call. */
export const SHORTEST_REPLY_TOKENS = 64;

/**
 * Limit of new tokens to try next after an overflow, or `null` when the prompt alone is too large.
 * Exact when the server named both numbers, half of the last try when it named only a bound.
 */
export function clampAfter(overflow: Overflow, triedTokens: number): number | null {
  const { windowTokens, promptTokens, atLeast } = overflow;
  if (windowTokens === null && promptTokens === null) return null;
  const exact = windowTokens !== null && promptTokens !== null && !atLeast;
  const next = exact ? windowTokens - promptTokens - MARGIN_TOKENS : Math.floor(triedTokens / 2);
  return next >= SHORTEST_REPLY_TOKENS && next < triedTokens ? next : null;
}

function firstNumber(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}
