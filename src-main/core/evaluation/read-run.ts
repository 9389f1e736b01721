import type { OutputOf, ReportFormat, RunReport } from '../../contract/index.ts';
import { formatReport, reportData, type RunOnRecord } from '../../evaluation/index.ts';
import type { Store } from '../../store/index.ts';
import { cellRow, indexOfTasks } from './cell-row.ts';
import { showRun } from './list.ts';
import { timeLeftOf } from './time-left-of.ts';
import { wireComparison, wireReport } from './wire-report.ts';

/** What can be asked of the record of a run that takes longer than a frame to answer. */
export type Question =
  | { about: 'report'; run: string; stoppable: boolean; now: number }
  | { about: 'cells'; run: string }
  | { about: 'comparison'; run: string; with: string }
  | { about: 'file'; run: string; with: string | null; format: ReportFormat };

interface Answers {
  report: RunReport;
  cells: OutputOf<'evaluation/cells'>;
  comparison: OutputOf<'evaluation/compare'>;
  file: { base64: string };
}
export type AnswerTo<Q extends Question> = Answers[Q['about']];

/**
 * Answers from the record alone. As JSON, which is what leaves the process in the end, and in which
 * a figure that cannot be told is `null`.
 */
export function readRun(store: Store, question: Question): string {
  return JSON.stringify(answer(store, question));
}

function answer(store: Store, question: Question): Answers[Question['about']] {
  // Taken first: what comes after it is told by `evaluation/watch`.
  const number = store.lastNumber();
  const run = runOnRecord(store, question.run);
  switch (question.about) {
    case 'report': {
      const { stoppable, now } = question;
      return wireReport(reportData(run), { number, stoppable, timeLeft: timeLeftOf(run, now) });
    }
    case 'cells': {
      const index = indexOfTasks(run.created.tasks);
      const cells = run.cells.map((cell) => cellRow(cell, index)).filter((row) => row !== null);
      return { number, cells };
    }
    case 'comparison': {
      const data = reportData(run, runOnRecord(store, question.with));
      const entries = data.entries.length;
      return {
        before: data.other?.run ?? run.summary,
        differences: data.other?.differences ?? [],
        // Pairs of the run itself come first.
        comparisons: data.comparisons.slice((entries * (entries - 1)) / 2).map(wireComparison),
      };
    }
    case 'file': {
      const other = question.with === null ? null : runOnRecord(store, question.with);
      const bytes = formatReport(run, { format: question.format, other });
      return { base64: Buffer.from(bytes).toString('base64') };
    }
  }
}

export function runOnRecord(store: Store, runId: string): RunOnRecord {
  const { run: summary, created, cells } = showRun({ store }, runId);
  return { summary, created, cells };
}
