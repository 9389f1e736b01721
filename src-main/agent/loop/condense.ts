import type { ChatMessage } from '../../models/index.ts';
import type { Budget } from './budget.ts';
import type { Scaffold } from '../types.ts';

/** After condensing, a prompt is this share of the limit: each time costs the server its cache. */
const TARGET_SHARE = 0.8;

/** What is sent in place of the history. */
export interface Condenser {
  /** The history, with its oldest observations replaced once the prompt has grown too long. */
  messages(history: readonly ChatMessage[], budget: Budget): readonly ChatMessage[];
}

/**
 * Observations are the user's messages but the first (the task) and the last; the oldest go first, and
 * what went stays away, so that the beginning of the prompt changes only when more goes. Tokens are
 * the server's count of the last turn; what leaves is taken from it by its share of the characters.
 */
export function createCondenser(settings: Scaffold['condense']): Condenser {
  let gone = 0;
  return {
    messages(history, budget) {
      if (settings === undefined) return history;
      const places = observationsOf(history);
      const used = budget.usedTokens();
      if (used > settings.aboveTokens) {
        const tokensPerCharacter =
          used / sentCharacters(history, places, gone, settings.placeholder);
        let left = used;
        while (gone < places.length && left > settings.aboveTokens * TARGET_SHARE) {
          const content = history[places[gone] ?? 0]?.content ?? '';
          left -= (content.length - settings.placeholder.length) * tokensPerCharacter;
          gone++;
        }
        budget.expect(Math.ceil(left));
      }
      return withoutObservations(history, places.slice(0, gone), settings.placeholder);
    },
  };
}

function observationsOf(history: readonly ChatMessage[]): number[] {
  const places = history.flatMap(({ role }, at) =>
    role === 'user' || role === 'tool' ? [at] : [],
  );
  return places.slice(1, -1);
}

function sentCharacters(
  history: readonly ChatMessage[],
  places: readonly number[],
  gone: number,
  placeholder: string,
): number {
  const sent = withoutObservations(history, places.slice(0, gone), placeholder);
  return Math.max(
    1,
    sent.reduce((sum, { content }) => sum + content.length, 0),
  );
}

function withoutObservations(
  history: readonly ChatMessage[],
  places: readonly number[],
  placeholder: string,
): readonly ChatMessage[] {
  if (places.length === 0) return history;
  const out = new Set(places);
  return history.map((message, at) =>
    out.has(at) ? { ...message, content: placeholder } : message,
  );
}
