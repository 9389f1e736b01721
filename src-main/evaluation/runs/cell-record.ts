import type { EventBody, EventOf, Grading } from '../../contract/index.ts';
import type { SessionPlan, SettledRequest } from '../../fix/index.ts';
import { newId } from '../../lib/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import type { Snapshot } from '../../patch/index.ts';
import type { Store } from '../../store/index.ts';
import type { Task } from '../tasks/types.ts';
import type { CellLimits } from './entry-limits.ts';
import type { CellWork } from './remaining-work.ts';
import type { EntrySetup, RunParts, RunPlan } from './types.ts';

/** The record of one cell; `attemptId` names an attempt of it. */
export interface CellRecord {
  readonly sessionId: string;
  append(body: EventBody, attemptId?: string | null): void;
  /** With contents that may be large. */
  appendLarge(body: EventBody, attemptId: string, blobs: readonly Uint8Array[]): Promise<void>;
}

/** What stands in the record of a new cell, and in the plan of its attempts. */
export interface CellFacts {
  plan: RunPlan;
  work: CellWork;
  task: Task;
  image: string;
  model: ModelHandle;
  setup: EntrySetup;
  limits: CellLimits;
}

/** The record of a cell that has begun before, or a new one. */
export function openCellRecord(
  { store, owner }: Pick<RunParts, 'store' | 'owner'>,
  facts: CellFacts,
): CellRecord {
  const sessionId = facts.work.sessionId ?? newId();
  const record = recordOf(store, sessionId);
  if (facts.work.sessionId === null) record.append(createdBody(facts, owner));
  return record;
}

/** Appends to the session of a cell. */
export function recordOf(store: Store, sessionId: string): CellRecord {
  return {
    sessionId,
    append: (body, attemptId = null) => void store.append({ sessionId, attemptId, body }),
    async appendLarge(body, attemptId, blobs) {
      store.append({ sessionId, attemptId, body, blobs: await store.keep(blobs) });
    },
  };
}

function createdBody(facts: CellFacts, owner: string): EventOf<'session.created'> {
  const { plan, work, task, model, setup } = facts;
  const { entry, seed } = work.job;
  return {
    type: 'session.created',
    repository: task.folder,
    title: task.name,
    issue: task.instruction,
    model: model.info,
    scaffold: {
      name: setup.scaffold.name,
      hash: setup.scaffold.hash,
      file: setup.scaffoldFile,
    },
    request: requestOf(facts),
    limits: workspaceLimits(plan, task),
    owner,
    cell: { runId: plan.runId, task: task.name, taskHash: task.hash, entry, seed },
  };
}

function requestOf({ plan, work, image, limits, task }: CellFacts): SettledRequest {
  const { maxSteps, maxContextTokens, timeLimitMs, driving } = limits;
  return {
    model: plan.entries[work.job.entry]?.model ?? '',
    ...{ image, runtime: null, verify: null, protect: [...task.verifier.protect], include: [] },
    ...{ attempts: 1, parallel: 1, seed: work.job.seed },
    ...{ maxSteps, maxContextTokens, timeLimitMs, driving, out: null },
    ...(plan.settings.recordTokens && { recordTokens: true }),
  };
}

/** The plan of the cell's attempts. */
export function sessionPlan(
  facts: CellFacts,
  sessionId: string,
  snapshot: Snapshot,
  place: SessionPlan['place'],
): SessionPlan {
  const { plan, task, setup } = facts;
  return {
    ...requestOf(facts),
    ...{ sessionId, snapshot, issue: task.instruction, title: task.name },
    scaffold: setup.scaffold,
    limits: workspaceLimits(plan, task),
    ...(place !== undefined && { place }),
  };
}

/** Of the task where it names some, else of the run. */
export function workspaceLimits({ limits }: Pick<RunPlan, 'limits'>, task: Pick<Task, 'limits'>) {
  const { cpus, memoryBytes, diskBytes } = task.limits;
  return {
    ...limits,
    ...(cpus !== null && { cpus }),
    ...(memoryBytes !== null && { memoryBytes }),
    ...(diskBytes !== null && { diskBytes }),
  };
}

export function snapshotTaken(snapshot: Snapshot, seconds: number): EventOf<'snapshot.taken'> {
  const { repository: _, ...taken } = snapshot;
  return { type: 'snapshot.taken', ...taken, seconds };
}

/** The last word of a cell whose attempt has its verdict. */
export function finishedBody(
  grading: Grading,
  attemptId: string | null,
  hasPatch: boolean,
): EventOf<'session.finished'> {
  const finished = (
    outcome: EventOf<'session.finished'>['outcome'],
    detail: string | null = null,
  ) => ({ type: 'session.finished', outcome, attemptId, detail }) as const;
  if (grading.state === 'infra') return finished('failed', grading.summary);
  if (grading.resolved) return finished('verified');
  return finished(hasPatch ? 'not_verified' : 'no_patch');
}
