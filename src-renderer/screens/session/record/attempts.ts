import type { OutputOf, SessionResult, StoredEvent } from '../../../../src-main/contract/index.ts';

type Attempt = SessionResult['attempts'][number];
type Got = OutputOf<'sessions/get'>;

/** The attempt that a number of the address stands for; else the one of the result, else the newest. */
export function chosenAttempt({ result }: Got, number: number | null): Attempt | null {
  const { attempts, patch } = result;
  return (
    attempts.find((attempt) => attempt.number === number) ??
    (result.outcome === 'running'
      ? null
      : attempts.find(({ attemptId }) => attemptId === patch?.attemptId)) ??
    attempts.at(-1) ??
    null
  );
}

export interface AttemptFacts {
  step: number;
  contextTokens: number | null;
  /** Of all prompts; 0 to 1. */
  cachedShare: number | null;
  seconds: { model: number; tools: number; own: number };
  startedAt: number | null;
  endedAt: number | null;
}

/** Figures of an attempt from its record: live ones are current to the last step. */
export function attemptFacts(events: readonly StoredEvent[], attemptId: string): AttemptFacts {
  const facts: AttemptFacts = {
    ...{ step: 0, contextTokens: null, cachedShare: null, startedAt: null, endedAt: null },
    seconds: { model: 0, tools: 0, own: 0 },
  };
  let prompt = 0;
  let cached: number | null = null;
  for (const event of events) {
    if (event.attemptId !== attemptId) continue;
    const { body } = event;
    if (body.type === 'attempt.started') facts.startedAt ??= event.at;
    if (body.type === 'attempt.started') facts.endedAt = null;
    if (body.type === 'attempt.finished') facts.endedAt = event.at;
    if (body.type !== 'step.finished') continue;
    const { usage, timings } = body;
    facts.step = body.step;
    facts.seconds.model += timings.modelMs / 1000;
    facts.seconds.tools += timings.toolsMs / 1000;
    facts.seconds.own += timings.ownMs / 1000;
    if (usage.promptTokens === null) continue;
    facts.contextTokens = usage.promptTokens + (usage.completionTokens ?? 0);
    prompt += usage.promptTokens;
    if (usage.cachedTokens !== null) cached = (cached ?? 0) + usage.cachedTokens;
  }
  facts.cachedShare = cached === null || prompt === 0 ? null : cached / prompt;
  return facts;
}
