import { createHash } from 'node:crypto';
import type { ToolCall } from '../../models/index.ts';
import type { Observation } from '../types.ts';

/** What the guard makes of the calls so far. */
export type LoopVerdict = 'fine' | 'nudge' | 'loop';

export interface LoopGuard {
  /** Takes the calls of one turn with their results, in order. */
  observe(calls: readonly ToolCall[], observations: readonly Observation[]): LoopVerdict;
}

/**
 * Repetitions that count, by period: the same call with the same result 4 times, A/B/A/B, and
 * A/B/C/A/B/C (L05). Results are compared too, so that edit-test-edit-test is no loop while the
 * edits or their outcomes differ. OpenHands' stuck detector uses 4 as well; Qwen-Code 5.
 */
const REPEATS = [
  { period: 1, callsToNudge: 4 },
  { period: 2, callsToNudge: 4 },
  { period: 3, callsToNudge: 6 },
] as const;

/** Calls that may go on after the nudge before the attempt ends. */
const CALLS_AFTER_NUDGE = 2;

/** Different loops that are answered by a nudge before any further one ends the attempt. */
const MAX_NUDGES = 3;

/** Watches for a model that goes in circles. Costs the same at every step. */
export function createLoopGuard(): LoopGuard {
  const recent: string[] = [];
  const runs = REPEATS.map(() => 0);
  let nudgedAt: number[] | null = null;
  let nudges = 0;

  const add = (print: string): void => {
    for (const [at, { period }] of REPEATS.entries()) {
      const repeats = recent.at(-period) === print;
      runs[at] = repeats ? Math.max(runs[at] ?? 0, period) + 1 : 0;
    }
    recent.push(print);
    if (recent.length > 3) recent.shift();
  };

  return {
    observe(calls, observations) {
      for (const [at, observation] of observations.entries()) {
        add(fingerprint(calls[at], observation));
      }
      const repeating = REPEATS.some(({ callsToNudge }, at) => (runs[at] ?? 0) >= callsToNudge);
      if (!repeating) {
        nudgedAt = null;
        return 'fine';
      }
      if (nudgedAt === null) {
        nudges += 1;
        nudgedAt = [...runs];
        return nudges > MAX_NUDGES ? 'loop' : 'nudge';
      }
      const before = nudgedAt;
      const longest = Math.max(...runs.map((run, at) => run - (before[at] ?? 0)));
      return longest >= CALLS_AFTER_NUDGE ? 'loop' : 'fine';
    },
  };
}

export const LOOP_NUDGE =
  'You have repeated the same call and got the same result each time. Doing it again will not ' +
  'change anything. Try a different approach, or give your final answer if the work is done.';

function fingerprint(call: ToolCall | undefined, observation: Observation): string {
  return createHash('sha1')
    .update(call?.name ?? observation.tool)
    .update('\0')
    .update(call?.arguments ?? '')
    .update('\0')
    .update(withoutNoise(observation.text))
    .digest('base64');
}

/** Durations and addresses differ between two runs of the same command that mean the same. */
function withoutNoise(text: string): string {
  return text.replace(/\b\d+(?:\.\d+)? ?m?s\b/g, '#').replace(/0x[0-9a-f]{6,}/gi, '#');
}
