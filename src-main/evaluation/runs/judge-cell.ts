import { bodiesOf, type AttemptEnd, type SessionParts } from '../../fix/index.ts';
import type { Snapshot } from '../../patch/index.ts';
import { blamePatch } from '../grading/blame-patch.ts';
import { AMBIGUOUS_REASONS } from '../grading/infra-signs.ts';
import type { Graded } from '../grading/types.ts';
import { emptyPatchGrading } from '../grading/verdict.ts';
import { workspaceLimits, type CellFacts, type CellRecord } from './cell-record.ts';
import { infraOfError, isOfTheMachine, type Infra } from './infra.ts';
import { INFRA_ENDINGS } from './remaining-work.ts';
import type { OpenWorkspace } from '../../workspaces/index.ts';
import type { RunParts } from './types.ts';
import { requireUnchanged } from './unchanged-task.ts';

/** A cell that runs, with what it needs. */
export interface RunningCell<P extends RunParts = RunParts> {
  facts: CellFacts;
  parts: P;
  record: CellRecord;
  snapshot: Snapshot;
}

/** How a try ended, for who decides what comes next. `counts`: against the cell's retries. */
export type Try =
  | { kind: 'graded'; attemptId: string; graded: Graded; hasPatch: boolean }
  | {
      kind: 'infra';
      attemptId: string;
      infra: Infra;
      counts: boolean;
      /** Judges the same patch once more, where another attempt would be a second chance. */
      again?: () => Promise<Try>;
      /** The verdict where it turns out that the patch is the reason; `null` = it does not. */
      blame?: () => Promise<Graded | null>;
    }
  | { kind: 'stopped' };

/** Judges what an attempt left, in a workspace of its own; `null` = nothing was changed. */
export function judgePatch(
  cell: RunningCell,
  attemptId: string,
  patch: AttemptEnd['changes'] | Uint8Array | null,
): Promise<Try> {
  const { facts, parts, snapshot, record } = cell;
  const again = () => judgePatch(cell, attemptId, patch);
  const request = {
    ...{ task: facts.task, image: facts.image, snapshot, signal: parts.signal },
    openWorkspace: (options: OpenWorkspace) => parts.openWorkspace(options),
    limits: workspaceLimits(facts.plan, facts.task),
    labels: { session: record.sessionId, attempt: `${attemptId}-grade` },
  };
  const blame = (graded: Graded) => blamePatch(request, graded, parts.judge.grade);
  return judgedTry(cell, { attemptId, hasPatch: patch !== null, again, blame }, async () => {
    if (patch === null) return { grading: emptyPatchGrading(facts.task), blobs: [] };
    await requireUnchanged(facts.task);
    return parts.judge.grade({ ...request, changes: patch });
  });
}

/** An attempt that had ended before its process did needs only its verdict. `null` = none is there. */
export async function judgeUngraded(cell: RunningCell): Promise<Try | null> {
  const { facts, parts, record } = cell;
  const attemptId = facts.work.ungraded;
  // The workspace that it was to be judged in is gone.
  if (attemptId === null || facts.task.verifier.on === 'workspace') return null;
  const events = parts.store.events({ sessionId: record.sessionId, attemptId });
  const made = bodiesOf(events, 'patch.made').at(-1);
  if (made === undefined) return null;
  return judgePatch(cell, attemptId, made.blob === null ? null : parts.store.blob(made.blob));
}

/** For tasks that are judged where the agent worked: the verdict is had before that closes. */
export function judgeInPlace(cell: RunningCell): {
  beforeClose: NonNullable<SessionParts['beforeClose']>;
  verdict: (attemptId: string, hasPatch: boolean) => Promise<Try>;
} {
  const { facts, parts } = cell;
  let pending: Promise<Graded> | undefined;
  return {
    beforeClose: async (workspace, { exitReason }) => {
      if (INFRA_ENDINGS.has(exitReason) || exitReason === 'cancelled') return;
      pending = requireUnchanged(facts.task).then(() =>
        parts.judge.gradeIn(workspace, facts.task, { signal: parts.signal }),
      );
      await pending.catch(() => undefined);
    },
    verdict: (attemptId, hasPatch) =>
      judgedTry(cell, { attemptId, hasPatch, again: null }, async () => {
        if (pending === undefined) throw new Error('the workspace was not judged');
        return pending;
      }),
  };
}

async function judgedTry(
  { parts, record }: RunningCell,
  {
    attemptId,
    hasPatch,
    again,
    blame,
  }: {
    attemptId: string;
    hasPatch: boolean;
    again: (() => Promise<Try>) | null;
    blame?: (graded: Graded) => Promise<Graded | null>;
  },
  judge: () => Promise<Graded>,
): Promise<Try> {
  let graded: Graded;
  try {
    graded = await judge();
  } catch (error) {
    if (parts.signal.aborted) return { kind: 'stopped' };
    if (isOfTheMachine(error)) throw error;
    return { kind: 'infra', attemptId, infra: infraOfError(error), counts: true };
  }
  const { infra, summary } = graded.grading;
  if (infra === null) return { kind: 'graded', attemptId, graded, hasPatch };
  // Kept, since what the verifier said is all that explains it.
  await recordGrading(record, attemptId, graded);
  const detail = infra.detail === '' ? summary : infra.detail;
  const { reason } = infra;
  // A patch can make tests hang or eat the memory, too: its model gets no second attempt for that.
  const mayBeThePatch = AMBIGUOUS_REASONS.has(reason);
  const mayRetry = again !== null || !mayBeThePatch || reason === 'workspace_lost';
  const retry = reason !== 'image_missing' && mayRetry;
  return {
    ...{ kind: 'infra', attemptId, counts: true, infra: { reason, detail, retry } },
    ...(mayBeThePatch && again !== null && { again }),
    ...(blame !== undefined && { blame: () => blame(graded) }),
  };
}

export function recordGrading(
  record: CellRecord,
  attemptId: string,
  { grading, blobs }: Graded,
  again = false,
): Promise<void> {
  const body = { type: 'grading.finished', result: grading, again } as const;
  return record.appendLarge(body, attemptId, blobs);
}
