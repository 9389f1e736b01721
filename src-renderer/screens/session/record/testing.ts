import type { EventBody, EventOf, StoredEvent } from '../../../../src-main/contract/index.ts';

type Step = EventOf<'step.finished'>;

/** Events of one session numbered from 1, a second apart. */
export function recordOf(
  bodies: Array<[attemptId: string | null, body: EventBody]>,
  from = 1_000_000,
): StoredEvent[] {
  return bodies.map(([attemptId, body], index) => ({
    ...{ number: index + 1, sessionId: 's', attemptId, at: from + index * 1000 },
    body,
  }));
}

/** A step with nothing in it but what a test gives. */
export function stepBody(step: number, more: Partial<Step> = {}): Step {
  return {
    type: 'step.finished',
    step,
    messages: [],
    observations: [],
    finish: 'calls',
    usage: { promptTokens: null, completionTokens: null, cachedTokens: null },
    timings: { modelMs: 300, firstTokenMs: 100, toolsMs: 200, ownMs: 0 },
    changes: [],
    refused: [],
    memory: { workspaceBytes: null, modelBytes: null },
    retries: [],
    notes: [],
    ...more,
  };
}

export function startedBody(number: number): EventOf<'attempt.started'> {
  return { type: 'attempt.started', number, seed: number, owner: 'o', resumedFromStep: null };
}
