import type { Grading } from '../../contract/index.ts';
import {
  performAttempt,
  type AttemptEnd,
  type AttemptJob,
  type SessionParts,
} from '../../fix/index.ts';
import { messageOf } from '../../lib/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import type { Graded } from '../grading/types.ts';
import { infraGrading } from '../grading/verdict.ts';
import { attemptPlace } from './attempt-place.ts';
import {
  finishedBody,
  openCellRecord,
  sessionPlan,
  snapshotTaken,
  type CellFacts,
  type CellRecord,
} from './cell-record.ts';
import type { EnergyMeter } from './energy-meter.ts';
import type { EntryModel } from './entry-model.ts';
import { infraOfEnding, infraOfError, isOfTheMachine } from './infra.ts';
import {
  judgeInPlace,
  judgePatch,
  judgeUngraded,
  recordGrading,
  type RunningCell,
  type Try,
} from './judge-cell.ts';
import { INFRA_ENDINGS } from './remaining-work.ts';
import type { TaskSnapshots } from './task-snapshots.ts';
import type { RunParts } from './types.ts';

/** What a cell is done with. */
export interface CellParts extends RunParts {
  model: EntryModel;
  snapshots: TaskSnapshots;
  /** `null` = the machine does not tell. */
  energy: EnergyMeter | null;
  /** The session that the cell is, once it is on record. */
  onRecord(sessionId: string): void;
  onStep(step: number): void;
  onMemory(bytes: number | null): void;
}

/** `joules`: of attempts of this process, by id. */
type Cell = RunningCell<CellParts> & { joules: Map<string, number | null> };

/** Carries what ends the run past what would take it for a fault of the cell. */
class RunFault extends Error {}

/**
 * Does one cell to its end: tries, verdict, and the words of both on record. `stopped`: it was cut
 * off and can be taken up again.
 * @throws whatever ends the whole run; the cell is left undone then
 */
export async function runCell(
  facts: Omit<CellFacts, 'image' | 'model'>,
  parts: CellParts,
): Promise<'done' | 'stopped'> {
  const { task, work, plan } = facts;
  const image = await imageOrFault(facts, parts);
  const known = typeof image === 'string' ? image : (task.image.reference ?? '');
  const cell = { ...facts, image: known, model: parts.model.handle() };
  const record = openCellRecord(parts, cell);
  parts.onRecord(record.sessionId);
  try {
    if (typeof image !== 'string') return endUnstarted(record, image);
    const began = performance.now();
    const snapshot = await parts.snapshots.take(task, image);
    const seconds = (performance.now() - began) / 1000;
    if (work.sessionId === null) record.append(snapshotTaken(snapshot, seconds));
    const running = { facts: cell, parts, record, snapshot, joules: new Map() };
    return await tryUntilKnown(running, plan.settings.infraRetries);
  } catch (error) {
    if (parts.signal.aborted) return endStopped(record);
    if (!isOfTheMachine(error) && !(error instanceof RunFault)) return endUnstarted(record, error);
    record.append({ type: 'session.interrupted', detail: messageOf(error) });
    throw error instanceof RunFault ? error.cause : error;
  }
}

async function imageOrFault(
  { task }: Pick<CellFacts, 'task'>,
  { imageOf, signal }: CellParts,
): Promise<string | Error> {
  try {
    return await imageOf(task);
  } catch (error) {
    if (isOfTheMachine(error) || signal.aborted) throw error;
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function endUnstarted(record: CellRecord, error: unknown): 'done' {
  const detail = messageOf(error);
  record.append({ type: 'session.finished', outcome: 'failed', attemptId: null, detail });
  return 'done';
}

function endStopped(record: CellRecord): 'stopped' {
  const ending = { outcome: 'cancelled', attemptId: null, detail: null } as const;
  record.append({ type: 'session.finished', ...ending });
  return 'stopped';
}

async function tryUntilKnown(cell: Cell, infraRetries: number): Promise<'done' | 'stopped'> {
  const { record } = cell;
  let number = cell.facts.work.tries;
  let failed = 0;
  let restarts = 0;
  let ended = (await judgeUngraded(cell)) ?? (await attempt(cell, (number += 1)));
  for (;;) {
    if (ended.kind === 'stopped') return endStopped(record);
    const { attemptId } = ended;
    if (ended.kind === 'graded') {
      await recordVerdict(cell, attemptId, ended.graded, ended.hasPatch);
      return 'done';
    }
    // The first death of the server is its own; one that dies again and again under a cell is not.
    const counts = ended.counts || restarts > 0;
    restarts += ended.counts ? 0 : 1;
    failed += counts ? 1 : 0;
    const { infra } = ended;
    if (!infra.retry || failed > infraRetries) {
      const blamed = (await ended.blame?.()) ?? null;
      const grading = infraGrading(cell.facts.task, infra.reason, infra.detail);
      await recordVerdict(cell, attemptId, blamed ?? { grading, blobs: [] }, blamed !== null);
      return 'done';
    }
    const text = `tried again, since nothing is known of the model: ${infra.detail}`;
    record.append({ type: 'note', level: 'warning', text }, attemptId);
    ended = ended.again ? await ended.again() : await attempt(cell, (number += 1));
  }
}

/** One attempt and its verdict. */
async function attempt(cell: Cell, number: number): Promise<Try> {
  const { parts, facts, record } = cell;
  const attemptId = `${record.sessionId}.${number}`;
  const { signal } = parts;
  const job = { attemptId, number, seed: facts.work.job.seed, resume: false, signal };
  const model = parts.model.handle();
  const inPlace = facts.task.verifier.on === 'workspace' ? judgeInPlace(cell) : null;
  let end: AttemptEnd;
  const share = parts.energy?.begin();
  try {
    end = await perform(cell, job, model, inPlace?.beforeClose);
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (isOfTheMachine(error)) throw error;
    return { kind: 'infra', attemptId, infra: infraOfError(error), counts: true };
  } finally {
    cell.joules.set(attemptId, (await share?.end()) ?? null);
  }
  const { exitReason, detail } = end.outcome;
  if (exitReason === 'cancelled' || exitReason === 'interrupted') return { kind: 'stopped' };
  if (INFRA_ENDINGS.has(exitReason)) {
    const counts = exitReason !== 'llm_query_error' || (await serverAnswers(parts, model));
    return { kind: 'infra', attemptId, infra: infraOfEnding(exitReason, detail), counts };
  }
  const hasPatch = end.changes.length > 0;
  if (inPlace !== null) return inPlace.verdict(attemptId, hasPatch);
  return judgePatch(cell, attemptId, hasPatch ? end.changes : null);
}

function perform(
  { facts, parts, record, snapshot }: Cell,
  job: AttemptJob,
  model: ModelHandle,
  beforeClose: SessionParts['beforeClose'],
): Promise<AttemptEnd> {
  const { home, store, owner, signal } = parts;
  const plan = sessionPlan(
    facts,
    record.sessionId,
    snapshot,
    attemptPlace(facts.task, facts.setup.scaffold),
  );
  const session: SessionParts = {
    ...{ home, store, owner, signal, model },
    openWorkspace: (options) => parts.openWorkspace(options),
    onProgress: ({ at }) => {
      if (at.kind === 'memory') parts.onMemory(at.workspaceBytes);
      else if (at.kind === 'model') parts.onStep(at.step);
    },
    ...(beforeClose !== undefined && { beforeClose }),
  };
  return performAttempt(plan, session, job);
}

/** A dead server is no fault of the cell: then the try does not count. */
async function serverAnswers({ model, signal }: CellParts, failed: ModelHandle): Promise<boolean> {
  try {
    return (await model.recover(failed)) === 'alive';
  } catch (error) {
    signal.throwIfAborted();
    throw new RunFault(messageOf(error), { cause: error });
  }
}

/** The last words of the cell. */
async function recordVerdict(
  { parts, record, joules }: Cell,
  attemptId: string,
  graded: Graded,
  hasPatch: boolean,
): Promise<void> {
  const { store, analyse } = parts;
  const { sessionId } = record;
  const { grading } = graded;
  const events = store.events({ sessionId, attemptId });
  const isKept = (state: Grading['state']) =>
    state === 'infra' && events.some(({ body }) => body.type === 'grading.finished');
  if (!isKept(grading.state)) await recordGrading(record, attemptId, graded);
  if (analyse !== undefined) {
    const energyJoules = joules.get(attemptId) ?? null;
    record.append({ type: 'cell.analysed', ...analyse(events), energyJoules }, attemptId);
  }
  record.append(finishedBody(grading, grading.state === 'infra' ? null : attemptId, hasPatch));
}
