import type { EventOf, SessionResult, StoredEvent } from '../../../../src-main/contract/index.ts';
import { type AttemptSeries, attemptSeries } from './series.ts';
import { newestOf } from './timeline.ts';

export interface ComparedAttempt {
  attempt: SessionResult['attempts'][number];
  /** `null` until it has ended, or where it ended without one. */
  patch: EventOf<'patch.made'> | null;
  verification: EventOf<'verification.finished'>['result'] | null;
  series: AttemptSeries;
  isResult: boolean;
}

/** Ends of the scales that small charts beside each other share, so that they can be compared. */
export interface Scales {
  seconds: number;
  contextTokens: number;
  workspaceBytes: number;
}

/** All attempts of a session with what its record tells of each. */
export function comparedAttempts(
  { attempts, patch }: SessionResult,
  events: readonly StoredEvent[],
): ComparedAttempt[] {
  return attempts.map((attempt) => {
    const { attemptId } = attempt;
    const own = events.filter((event) => event.attemptId === attemptId);
    return {
      attempt,
      patch: newestOf(own, 'patch.made', attemptId),
      verification: newestOf(own, 'verification.finished', attemptId)?.result ?? null,
      series: attemptSeries(own, attemptId, []),
      isResult: patch?.attemptId === attemptId,
    };
  });
}

export function scalesOf(compared: readonly ComparedAttempt[]): Scales {
  const all = compared.map(({ series }) => series);
  return {
    seconds: highest(all.flatMap(({ seconds }) => sums(seconds))),
    contextTokens: highest(all.flatMap(({ context }) => context)),
    workspaceBytes: highest(all.flatMap(({ memory }) => memory.workspace)),
  };
}

function sums({ model, tools, own }: AttemptSeries['seconds']): number[] {
  return model.map((seconds, index) => seconds + (tools[index] ?? 0) + (own[index] ?? 0));
}

function highest(values: ReadonlyArray<number | null>): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}
