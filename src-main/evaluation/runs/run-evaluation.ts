import type { EventBody, RunSummary } from '../../contract/index.ts';
import { isAlive, messageOf } from '../../lib/index.ts';
import type { StoredCell } from '../../store/index.ts';
import { finishedBody, recordOf } from './cell-record.ts';
import { closingAside } from './close-aside.ts';
import { createProgressBoard } from './progress.ts';
import { remainingWork } from './remaining-work.ts';
import { runEntry } from './run-entry.ts';
import { createTaskSnapshots, reapTaskSnapshots } from './task-snapshots.ts';
import type { RunParts, RunPlan } from './types.ts';

/**
 * Runs what is left of a run: all of it when it is new, or what its record does not have. Everything
 * is on record as it happens: an end at any moment costs the attempts that run, and nothing else.
 * Resolves also when it was stopped, see `state`.
 * @throws VivariumError for faults that no cell would escape, after recording the run as failed
 */
export async function runEvaluation(plan: RunPlan, parts: RunParts): Promise<RunSummary> {
  const { store, home } = parts;
  const { runId } = plan;
  const append = (body: EventBody) => store.append({ sessionId: runId, attemptId: null, body });
  const known = begin(plan, parts, append);
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const workspaces = closingAside((options) => parts.openWorkspace(options));
  const energy = (await parts.openEnergy?.()) ?? null;
  const run = { ...parts, signal, openWorkspace: workspaces.open, energy };
  const snapshots = createTaskSnapshots(runId, run);
  try {
    await reapTaskSnapshots(
      home,
      (id, modifiedMs) => id !== runId && isNeeded(store, id, modifiedMs),
    );
    const works = remainingWork(plan, known);
    const open = new Set(works.flatMap(({ sessionId }) => sessionId ?? []));
    const board = createProgressBoard(
      plan,
      known.filter(({ sessionId }) => !open.has(sessionId)),
    );
    for (const [index] of plan.entries.entries()) {
      const ofEntry = works.filter(({ job }) => job.entry === index);
      const later = works.filter(({ job }) => job.entry > index).length;
      if (ofEntry.length === 0 || signal.aborted) continue;
      await runEntry(plan, { ...run, snapshots, board, stop }, ofEntry, later);
    }
    append({ type: 'run.finished', ...endOf(parts.signal) });
  } catch (error) {
    if (!parts.signal.aborted) {
      append({ type: 'run.finished', outcome: 'failed', detail: messageOf(error) });
      throw error;
    }
    append({ type: 'run.finished', ...endOf(parts.signal) });
  } finally {
    await Promise.all([snapshots.dispose(), workspaces.settled(), energy?.close()]);
  }
  return store.run(runId);
}

function endOf(signal: AbortSignal) {
  return { outcome: signal.aborted ? 'stopped' : 'done', detail: null } as const;
}

/** Puts the run on record, or that it goes on; returns the cells it has. */
function begin(
  plan: RunPlan,
  { store, owner }: RunParts,
  append: (body: EventBody) => unknown,
): StoredCell[] {
  const { runId, name, tasksFolder, tasksHash, entries, seeds, settings, environment } = plan;
  if (store.events({ sessionId: runId, limit: 1 }).length > 0) {
    append({ type: 'run.resumed', owner });
    const cells = store.cells(runId);
    closeLoose(cells, store);
    return cells;
  }
  append({
    type: 'run.created',
    ...{ name, tasksFolder, tasksHash, settings, owner },
    tasks: plan.tasks.map((task) => ({ name: task.name, hash: task.hash })),
    ...{ entries: [...entries], seeds: [...seeds], environment: { ...environment } },
  });
  return [];
}

/** Cells whose process died between the verdict and the last word of their session. */
function closeLoose(cells: readonly StoredCell[], store: RunParts['store']): void {
  for (const { sessionId, attemptId, state, grading, patch } of cells) {
    if (state !== 'graded' || grading === null) continue;
    if (store.session(sessionId).state !== 'interrupted') continue;
    recordOf(store, sessionId).append(finishedBody(grading, attemptId, patch.files > 0));
  }
}

/** A snapshot of nobody on record may be one that is made right now. */
const YOUNG_MS = 60 * 60 * 1000;

/** Whether a process that lives works with the snapshots of a run. */
function isNeeded(store: RunParts['store'], runId: string, modifiedMs: number): boolean {
  const events = store.events({ sessionId: runId });
  const last = events.findLast(({ body }) => body.type.startsWith('run.'))?.body;
  if (last === undefined) return Date.now() - modifiedMs < YOUNG_MS;
  return (last?.type === 'run.created' || last?.type === 'run.resumed') && isAlive(last.owner);
}
