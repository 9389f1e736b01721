import { setTimeout as delay } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import type { Task } from '../tasks/types.ts';
import { admit } from './admission.ts';
import { workspaceLimits } from './cell-record.ts';
import { limitsOf } from './entry-limits.ts';
import type { EnergyMeter } from './energy-meter.ts';
import { openEntryModel, type EntryModel } from './entry-model.ts';
import type { ProgressBoard } from './progress.ts';
import type { CellWork } from './remaining-work.ts';
import { runCell } from './run-cell.ts';
import type { TaskSnapshots } from './task-snapshots.ts';
import type { EntrySetup, RunParts, RunPlan } from './types.ts';

/** How often it is looked whether there is room again. */
const LOOK_AGAIN_MS = 2000;

export interface EntryParts extends RunParts {
  snapshots: TaskSnapshots;
  board: ProgressBoard;
  energy: EnergyMeter | null;
  /** Ends all cells of the run once one of them met what none would escape. */
  stop: AbortController;
}

/** What the cells of one entry share. */
interface Entry {
  plan: RunPlan;
  parts: EntryParts;
  setup: EntrySetup;
  model: EntryModel;
  tasks: ReadonlyMap<string, Task>;
  queue: CellWork[];
  active: Set<Promise<void>>;
  report: () => void;
}

/**
 * Does the cells of one entry, `workers` at a time as far as the machine has room. `later` = cells of
 * entries to come.
 * @throws what ended the run; its running cells were stopped then
 */
export async function runEntry(
  plan: RunPlan,
  parts: EntryParts,
  works: readonly CellWork[],
  later: number,
): Promise<void> {
  const { board, snapshots, signal } = parts;
  const index = works[0]?.job.entry ?? 0;
  const asked = plan.entries[index];
  if (asked === undefined) return;
  const setup = await parts.setupOf(asked);
  const model = await openEntryModel(asked, parts);
  const queue = [...works];
  const report = () =>
    parts.onProgress(board.progress(performance.now(), { waiting: queue.length, later }));
  const tasks = new Map(plan.tasks.map((task) => [task.name, task]));
  const entry: Entry = { plan, parts, setup, model, tasks, queue, active: new Set(), report };
  for (const work of works) snapshots.expect(taskOf(entry, work));
  try {
    await workOff(entry);
  } finally {
    await Promise.all(entry.active);
    await Promise.all(queue.map((work) => snapshots.release(taskOf(entry, work))));
    await model.close();
  }
  // The fault of one cell ended the others: it is the news.
  if (signal.aborted) throw signal.reason;
}

async function workOff(entry: Entry): Promise<void> {
  const { queue, active, parts, plan } = entry;
  for (let next = queue[0]; next !== undefined; next = queue[0]) {
    if (parts.signal.aborted) return;
    if (active.size >= plan.settings.workers) await Promise.race(active);
    else if (await hasRoom(entry, taskOf(entry, next))) begin(entry, queue.shift());
  }
  await Promise.all(active);
}

function begin(entry: Entry, work: CellWork | undefined): void {
  if (work === undefined) return;
  const { active, parts } = entry;
  const running = doCell(entry, work)
    .catch((error: unknown) => parts.stop.abort(error))
    .finally(() => active.delete(running));
  active.add(running);
}

/** Whether one more cell may begin; where not, some time has passed when this resolves. */
async function hasRoom({ parts, active, report, plan }: Entry, task: Task): Promise<boolean> {
  const { board, signal } = parts;
  const limits = workspaceLimits(plan, task);
  const admission = admit(await parts.room(), {
    limitBytes: limits.memoryBytes,
    layerBytes: task.verifier.on === 'workspace' ? limits.diskBytes : 0,
    peaks: board.peaks,
    running: [...board.running].map(({ memoryBytes }) => memoryBytes),
  });
  board.hold(admission.may ? null : admission.why);
  if (admission.may) return true;
  if (active.size === 0) throw noRoom(admission.why);
  report();
  const timer = new AbortController();
  const pause = delay(LOOK_AGAIN_MS, undefined, {
    signal: AbortSignal.any([timer.signal, signal]),
  }).catch(() => undefined);
  await Promise.race([...active, pause]);
  timer.abort();
  return false;
}

async function doCell({ plan, parts, setup, model, report, ...entry }: Entry, work: CellWork) {
  const { board, snapshots, store } = parts;
  const task = taskOf(entry, work);
  const view = board.begin(work, performance.now());
  report();
  let sessionId = work.sessionId;
  try {
    const limits = limitsOf(plan.settings, setup, task);
    await runCell(
      { plan, work, task, setup, limits },
      {
        ...parts,
        model,
        onRecord: (id) => (sessionId = id),
        onStep: (step) => {
          view.step = step;
          // The server gave a whole step: whatever it did before, it works.
          if (step > 1) model.worked();
          report();
        },
        onMemory: (bytes) => (view.memoryBytes = bytes),
      },
    );
  } finally {
    const cell = sessionId === null ? undefined : store.cell(sessionId);
    board.end(view, cell, performance.now());
    await snapshots.release(task);
    report();
  }
}

function taskOf({ tasks }: Pick<Entry, 'tasks'>, { job }: CellWork): Task {
  const task = tasks.get(job.task.name);
  if (task === undefined) throw new Error(`there is no task ${job.task.name} in the plan`);
  return task;
}

function noRoom(why: string): VivariumError {
  return new VivariumError(
    'disk_full',
    `there is no room for a single cell: ${why}`,
    'Free some disk space, then go on with `vivarium eval run --resume`.',
  );
}
