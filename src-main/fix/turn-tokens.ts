import { turnTokensSchema, type EventOf } from '../contract/index.ts';
import type { TurnTokens } from '../models/index.ts';
import type { Store } from '../store/index.ts';

/** The tokens of a turn as they are kept: a content of its own. */
export function tokensBlob(tokens: TurnTokens): Uint8Array {
  return Buffer.from(JSON.stringify(tokens));
}

/**
 * Tokens of a recorded step; `null` where there are none.
 * @throws VivariumError `store_failed` when their content is damaged
 */
export function tokensOfStep(
  store: Pick<Store, 'blob'>,
  { tokens }: Pick<EventOf<'step.finished'>, 'tokens'>,
): TurnTokens | null {
  if (tokens === undefined) return null;
  return turnTokensSchema.parse(JSON.parse(Buffer.from(store.blob(tokens)).toString('utf8')));
}
