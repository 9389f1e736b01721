import type { LiveActivity } from '../../contract/index.ts';
import type { FixProgress } from '../../fix/index.ts';
import type { ActivityItem } from './activities.ts';

const MEMORY_EVERY_MS = 900;

/** Progress of sessions as the contract tells it. */
export interface ActivityTeller {
  /** `null` = not worth telling: the look at memory before is not a second old. */
  tell(progress: FixProgress): ActivityItem | null;
  forget(sessionId: string): void;
}

interface Told {
  memoryAt: number;
  /** Step and place of the call whose name was told last. */
  call: string;
}

export function createTeller(): ActivityTeller {
  const attempts = new Map<string, Told>();
  return {
    tell({ sessionId, attemptId, attempt, at }) {
      const key = attemptId ?? sessionId;
      const told = attempts.get(key) ?? { memoryAt: Number.NEGATIVE_INFINITY, call: '' };
      attempts.set(key, told);
      const now = Date.now();
      if (at.kind === 'memory') {
        if (now - told.memoryAt < MEMORY_EVERY_MS) return null;
        told.memoryAt = now;
      }
      const activity = activityOf(at, told);
      return { kind: 'activity', sessionId, attemptId, attempt, at: now, activity };
    },
    forget(sessionId) {
      for (const key of attempts.keys()) if (key.startsWith(sessionId)) attempts.delete(key);
    },
  };
}

function activityOf(at: FixProgress['at'], told: Told): LiveActivity {
  if (at.kind !== 'delta') return at;
  const { step, delta } = at;
  if (delta.kind === 'restart') {
    told.call = '';
    return { kind: 'restart', step, reason: delta.reason };
  }
  if (delta.kind !== 'call') return { kind: 'delta', step, part: delta.kind, text: delta.text };
  const { index, name, text } = delta;
  const call = `${step}.${index}`;
  // Each piece may name its call; calls of one turn stand on lines of their own.
  if (name === undefined || told.call === call) return { kind: 'delta', step, part: 'call', text };
  told.call = call;
  return { kind: 'delta', step, part: 'call', text: `${index > 0 ? '\n' : ''}${name} ${text}` };
}
