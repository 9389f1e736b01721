/** Why the tokens of a turn were computed again although the server had seen them. */
export type CacheFallCause = 'restarted' | 'history' | 'shared' | 'small' | 'off' | 'lost';

/** What a turn tells about the cache of the prompt. */
export interface CacheTurn {
  step: number;
  promptTokens: number | null;
  completionTokens: number | null;
  /** `null` = the server does not say. */
  cachedTokens: number | null;
  /** The reply went into the history changed: calls salvaged, arguments repaired, a thought split off. */
  repaired: boolean;
  /** A message of ours followed as the user's, as a nudge does. */
  userMessage: boolean;
  /** The reply held a thought. */
  thought: boolean;
}

/** What is known of the server for the time between two turns; `null` = not known. */
export interface ServerGlimpse {
  restarted: boolean;
  /** Most requests at a time, waiting ones included. */
  requests: number | null;
  /** Conversations it keeps at a time. */
  sequences: number | null;
  /** Highest share of its cache in use, 0 to 1. */
  kvUsed: number | null;
}

export interface CacheFall {
  cause: CacheFallCause;
  /** One line for people; begins with the cause's sentence. */
  text: string;
}

/** A turn reused well from this share on of what it could have reused, and badly below the other. */
const GOOD = 0.8;
const BAD = 0.5;
/** Bad turns in a row after which it is no hiccup. */
const LASTING = 3;
/**
 * Hybrid models are cached in blocks of 528 tokens (measured for Qwen3.5 in vLLM, see its issue
 * 40696): from there on, whole blocks alone are more than half.
 */
const LEAST_TOKENS = 528;
/** Above this share of the cache in use, conversations push each other out. */
const FULL = 0.95;

/** Stable beginnings of the warnings, so that the record tells which one a session has had. */
export const CACHE_FALL_SENTENCES: Readonly<Record<CacheFallCause, string>> = {
  restarted: 'the prompt was computed anew: the server was started again in between',
  history: 'the prompt was computed anew: the history is not rendered as it was a step before',
  shared: 'the prompt was computed anew: other conversations use the server at the same time',
  small: 'the prompt was computed anew: the cache of the server is too small',
  off: 'the prompt is computed anew in each step: prefix caching is off, or the server reports none',
  lost: 'the prompt was computed anew: the server dropped what it had, and no cause was found',
};

const REMEDIES: Readonly<Record<CacheFallCause, string>> = {
  restarted: 'The next step is fast again.',
  history: 'A template that keeps thoughts, or a scaffold that needs no user messages, avoids it.',
  shared: 'Run fewer attempts at a time, or raise `sequences` in the profile of the model.',
  small: 'Lower `contextTokens` or `sequences` in the profile, or give it more memory.',
  off: 'Set `prefixCaching` in the profile; a vLLM of your own reports it with --enable-prompt-tokens-details.',
  lost: 'The log of the server may tell more.',
};

/**
 * Judges the last of the turns, oldest first, all of one attempt since it began or went on. History
 * is only appended to, so a turn can reuse what the turn before sent and got. `null` where that was
 * so, where nothing is to be expected yet, and where the server does not say.
 */
export function explainCacheFall(
  turns: readonly CacheTurn[],
  server: ServerGlimpse | null,
): CacheFall | null {
  const shares = turns.map((turn, index) => shareOf(turns[index - 1], turn));
  const now = turns.at(-1);
  const before = turns.at(-2);
  if (now === undefined || before === undefined || !hasFallen(shares)) return null;
  const { cause, detail } = causeOf(turns, server);
  return { cause, text: textOf(cause, detail, now, before, shares.at(-2) ?? null) };
}

/** Tokens of this turn's prompt that the turn before had in the cache; `null` = not known. */
function reusable(before: CacheTurn | undefined, now: CacheTurn): number | null {
  if (before === undefined || before.promptTokens === null || now.promptTokens === null)
    return null;
  return Math.min(before.promptTokens + (before.completionTokens ?? 0), now.promptTokens);
}

function shareOf(before: CacheTurn | undefined, now: CacheTurn): number | null {
  const tokens = reusable(before, now);
  if (tokens === null || tokens < LEAST_TOKENS || now.cachedTokens === null) return null;
  return now.cachedTokens / tokens;
}

/** A sudden fall, or a row of bad turns that no sudden fall began; each is told at one turn only. */
function hasFallen(shares: readonly (number | null)[]): boolean {
  const now = shares.at(-1) ?? null;
  if (now === null || now >= BAD) return false;
  const isSudden = (index: number): boolean => (shares[index - 1] ?? 0) >= GOOD;
  if (isSudden(shares.length - 1)) return true;
  const start = shares.findLastIndex((share) => share === null || share >= BAD) + 1;
  return shares.length - start === LASTING && !isSudden(start);
}

function causeOf(
  turns: readonly CacheTurn[],
  server: ServerGlimpse | null,
): { cause: CacheFallCause; detail: string } {
  const changed = changeOfHistory(turns);
  if (server?.restarted) return { cause: 'restarted', detail: '' };
  if (changed !== null) return { cause: 'history', detail: changed };
  const crowd = crowdOf(server);
  if (crowd !== null) return { cause: 'shared', detail: crowd };
  if ((server?.kvUsed ?? 0) > FULL) {
    return { cause: 'small', detail: `${percent(server?.kvUsed ?? 0)} of it was in use` };
  }
  // From the second on: the first has nothing to reuse.
  if (turns.slice(1).every(({ cachedTokens }) => cachedTokens === 0)) {
    return { cause: 'off', detail: '' };
  }
  if (keptOpening(turns)) return { cause: 'history', detail: templateWords(turns) };
  return { cause: 'lost', detail: '' };
}

/** What the loop itself knows of a history that reads differently now. */
function changeOfHistory(turns: readonly CacheTurn[]): string | null {
  const [before, now] = turns.slice(-2);
  if (before === undefined || now === undefined) return null;
  const [sent, sentBefore] = [now.promptTokens ?? 0, before.promptTokens ?? 0];
  if (before.userMessage && turns.slice(0, -1).some(({ thought }) => thought)) {
    return 'after a message to the model, its template drops the thoughts before';
  }
  if (sent < sentBefore) return `it became shorter, ${tokens(sent)} after ${tokens(sentBefore)}`;
  // A reply that came back otherwise than it was written costs itself, not what was before it.
  const onlyReply = (now.cachedTokens ?? 0) >= GOOD * sentBefore;
  if (before.repaired && onlyReply) return 'the last reply was repaired';
  return null;
}

function crowdOf(server: ServerGlimpse | null): string | null {
  const requests = server?.requests ?? 0;
  const sequences = server?.sequences ?? 1;
  return requests > sequences ? `${requests} at once, it keeps ${sequences}` : null;
}

/** What all turns begin with was found, so the cache works and what follows reads differently. */
function keptOpening(turns: readonly CacheTurn[]): boolean {
  const opening = turns[0]?.promptTokens ?? 0;
  const cached = turns.at(-1)?.cachedTokens ?? 0;
  return cached > 0 && cached >= BAD * opening;
}

function templateWords(turns: readonly CacheTurn[]): string {
  return turns.some(({ thought }) => thought)
    ? 'its template probably drops earlier thoughts'
    : 'its template probably changes earlier turns';
}

function textOf(
  cause: CacheFallCause,
  detail: string,
  now: CacheTurn,
  before: CacheTurn,
  shareBefore: number | null,
): string {
  const of = reusable(before, now) ?? 0;
  const earlier = shareBefore === null ? '' : `, the step before ${percent(shareBefore)}`;
  const words = detail === '' ? '' : ` (${detail})`;
  return (
    `${CACHE_FALL_SENTENCES[cause]}${words}. Step ${now.step} reused ` +
    `${tokens(now.cachedTokens ?? 0)} of ${tokens(of)} tokens (${percent((now.cachedTokens ?? 0) / of)}${earlier}). ` +
    REMEDIES[cause]
  );
}

function tokens(count: number): string {
  return count.toLocaleString('en-US');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
