import type { RunReport } from '../../contract/index.ts';
import { timeLeft, type RunOnRecord } from '../../evaluation/index.ts';

/** How long a run still takes, from its record alone: whoever runs it. */
export function timeLeftOf(run: RunOnRecord, now: number): RunReport['timeLeft'] {
  const { summary, created, cells } = run;
  if (summary.state !== 'running') return null;
  const newest = cells.reduce((last, { startedAt }) => Math.max(last, startedAt), 0);
  const entry = cells.find(({ startedAt }) => startedAt === newest)?.entry ?? 0;
  const own = cells.filter((cell) => cell.entry === entry);
  const running = own.filter(({ state }) => state === 'running');
  const perEntry = created.tasks.length * created.seeds.length;
  const begunLater = cells.filter((cell) => cell.entry > entry).length;
  const left = timeLeft({
    finished: own
      .filter(({ state }) => state === 'graded')
      .map(({ seconds }) => seconds.total + seconds.grading),
    running: running.map(({ startedAt }) => (now - startedAt) / 1000),
    waiting: Math.max(0, perEntry - own.length),
    later: Math.max(0, perEntry * (created.entries.length - 1 - entry) - begunLater),
    workers: created.settings.workers,
  });
  return left === null ? null : { ...left, at: now };
}
