import type { EventOf, StoredEvent, Suspicion } from '../../contract/index.ts';
import { callsOfStep, commandOf } from './calls-of-step.ts';
import { suspicionsOf } from './suspicions.ts';

type Step = EventOf<'step.finished'>;

/**
 * What reading the record of one attempt shows besides outcome and ending.
 *
 * `premature`: the model gave its final answer although it had changed nothing, or had run no command
 * since its last change, so that it cannot have seen the change work.
 */
export function analyse(events: readonly StoredEvent[]): {
  premature: boolean;
  suspicions: Suspicion[];
} {
  const bodies = events.map(({ body }) => body);
  const steps = bodies.filter((body): body is Step => body.type === 'step.finished');
  const end = bodies.findLast((body) => body.type === 'attempt.finished');
  return {
    premature: end?.exitReason === 'agent' && isUnchecked(steps),
    suspicions: suspicionsOf(events),
  };
}

function isUnchecked(steps: readonly Step[]): boolean {
  const changed = steps.findLastIndex(({ changes }) => changes.length > 0);
  if (changed === -1) return true;
  // A command of the same step may have run behind the change: it counts as a look.
  return !steps.slice(changed).some(hasCommand);
}

function hasCommand(step: Step): boolean {
  return callsOfStep(step).some((call) => commandOf(call) !== null);
}
