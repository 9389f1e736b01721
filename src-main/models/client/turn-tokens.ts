import type { TurnTokens } from '../types.ts';

/** A whole reply; nothing of it is sure, since servers differ. */
interface Reply {
  prompt_token_ids?: unknown;
  choices?: readonly object[] | null;
  usage?: { completion_tokens?: number | null } | null;
}

interface ChoiceWithTokens {
  prompt_token_ids?: unknown;
  token_ids?: unknown;
  logprobs?: { content?: unknown } | null;
}

/**
 * Reads token ids and log-probabilities in the forms of vLLM (ids of the prompt beside the choices),
 * SGLang (within them) and llama.cpp (an `id` in each entry of the log-probabilities, none of the
 * prompt; a token that ends within a character has no entry, so fewer than were counted are none);
 * `undefined` where the reply has none.
 */
export function readTurnTokens(reply: Reply): TurnTokens | undefined {
  const choice: ChoiceWithTokens | undefined = reply.choices?.[0];
  const entries = entriesOf(choice?.logprobs?.content);
  const ids = idsOf(choice?.token_ids);
  const idsBeside = idsOf(entries?.map(({ id }) => id));
  const isGap = ids === null && idsBeside?.length !== reply.usage?.completion_tokens;
  const completion = ids ?? (isGap ? null : idsBeside);
  const all = numbersOf(entries?.map(({ logprob }) => logprob));
  const logprobs = isGap && idsBeside !== null ? null : all;
  const prompt = idsOf(reply.prompt_token_ids) ?? idsOf(choice?.prompt_token_ids);
  if (prompt === null && completion === null && logprobs === null) return undefined;
  const match = completion === null || completion.length === logprobs?.length;
  return { prompt, completion, logprobs: match ? logprobs : null };
}

function entriesOf(content: unknown): { id?: unknown; logprob?: unknown }[] | null {
  const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null;
  return Array.isArray(content) && content.every(isEntry) ? content : null;
}

function numbersOf(values: unknown): number[] | null {
  const isList = Array.isArray(values) && values.length > 0;
  return isList && values.every((value) => Number.isFinite(value)) ? (values as number[]) : null;
}

function idsOf(values: unknown): number[] | null {
  return numbersOf(values)?.every((value) => Number.isSafeInteger(value) && value >= 0) === true
    ? (values as number[])
    : null;
}
