import type { Completion } from '../../models/index.ts';
import type { ParsedTurn } from '../types.ts';
import { ending, type Ending } from './endings.ts';

/** Nudges in a row before the attempt ends with the reason of the nudge (L03, L10). */
const MAX_NUDGES_IN_A_ROW = 2;

/** Turns in a row of which no call could be executed; each call was answered with its error. */
const MAX_UNUSABLE_TURNS_IN_A_ROW = 4;

/** Counts bad turns in a row and says when it is enough. */
export interface NudgeCounter {
  count(turn: ParsedTurn, reply: Completion): Ending | null;
}

/** A good turn starts every count anew. */
export function createNudgeCounter(): NudgeCounter {
  let nudged = 0;
  let cut = 0;
  let unusable = 0;
  return {
    count(turn, reply) {
      const kind = turn.nudge?.kind ?? null;
      cut = kind === 'cut' || reply.finish === 'cut' ? cut + 1 : 0;
      nudged = kind === null || cut > 0 ? 0 : nudged + 1;
      unusable = turn.calls.length > 0 && turn.calls.every((call) => !call.ok) ? unusable + 1 : 0;
      // L04: the second cut in a row.
      if (cut >= 2) return ending('max_tokens_per_turn');
      if (nudged > MAX_NUDGES_IN_A_ROW) {
        return ending(kind === 'empty_reply' ? 'empty_reply' : 'format_error');
      }
      return unusable > MAX_UNUSABLE_TURNS_IN_A_ROW ? ending('format_error') : null;
    },
  };
}
