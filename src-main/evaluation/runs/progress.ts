import type { StoredCell } from '../../store/index.ts';
import { completeCell } from './complete-cell.ts';
import type { CellWork } from './remaining-work.ts';
import { timeLeft } from './time-left.ts';
import type { RunPlan, RunProgress } from './types.ts';

/** A cell that runs now, as its figures come in. */
export interface CellView {
  work: CellWork;
  startedAt: number;
  step: number;
  memoryBytes: number | null;
}

/** Follows a run and says how far it is. Times are milliseconds of a clock that only goes forward. */
export interface ProgressBoard {
  /** Cells that run, in the order they began. */
  readonly running: ReadonlySet<CellView>;
  /** Peaks of workspaces of cells that have ended. */
  readonly peaks: readonly number[];
  begin(work: CellWork, now: number): CellView;
  end(view: CellView, cell: StoredCell | undefined, now: number): void;
  hold(why: string | null): void;
  /** `waiting` and `later`: cells of the running entry, and of others, that have not begun. */
  progress(now: number, queue: { waiting: number; later: number }): RunProgress;
}

/** More peaks tell nothing new. */
const KEPT_PEAKS = 200;

export function createProgressBoard(plan: RunPlan, known: readonly StoredCell[]): ProgressBoard {
  const running = new Set<CellView>();
  const done = known.filter(isDone);
  const tally = {
    finished: done.length,
    resolved: done.filter(({ resolved }) => resolved).length,
    infra: done.filter(({ state }) => state === 'infra').length,
  };
  const peaks: number[] = done.flatMap(({ peakMemoryBytes }) => peakMemoryBytes ?? []);
  const seconds = plan.entries.map((_, entry) =>
    done.filter((cell) => cell.entry === entry && cell.state === 'graded').map(secondsOf),
  );
  let held: string | null = null;
  let last: RunProgress['last'] = null;
  let entry = 0;

  return {
    running,
    peaks,
    begin(work, now) {
      const view = { work, startedAt: now, step: 0, memoryBytes: null };
      entry = work.job.entry;
      running.add(view);
      return view;
    },
    end(view, cell, now) {
      running.delete(view);
      if (cell === undefined || !isDone(cell)) return;
      last = completeCell(cell);
      tally.finished += 1;
      tally.resolved += cell.resolved ? 1 : 0;
      tally.infra += cell.state === 'infra' ? 1 : 0;
      if (cell.peakMemoryBytes !== null) peaks.push(cell.peakMemoryBytes);
      if (peaks.length > KEPT_PEAKS) peaks.shift();
      if (cell.state === 'graded') seconds[cell.entry]?.push((now - view.startedAt) / 1000);
    },
    hold: (why) => void (held = why),
    progress: (now, queue) => ({
      total: plan.tasks.length * plan.entries.length * plan.seeds.length,
      ...tally,
      running: [...running].map(({ work: { job }, step }) => ({
        task: job.task.name,
        entry: plan.entries[job.entry]?.label ?? '',
        seed: job.seed,
        step,
      })),
      secondsLeft: timeLeft({
        finished: seconds[entry] ?? [],
        running: [...running].map(({ startedAt }) => (now - startedAt) / 1000),
        ...queue,
        workers: plan.settings.workers,
      }),
      ...{ last, held },
    }),
  };
}

function isDone({ state }: StoredCell): boolean {
  return state === 'graded' || state === 'infra';
}

/** Of cells of an earlier process only this is known: what lay between a stop and a resume counts not. */
function secondsOf({ seconds }: StoredCell): number {
  return seconds.total + seconds.grading;
}
