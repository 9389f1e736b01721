import type { RunCell } from '../../contract/index.ts';

/** A cell that came to its end, solved or not, with what a test names in its place. */
export function cell(change: Partial<RunCell> & { task: string }): RunCell {
  return {
    ...{ runId: 'r', sessionId: `s-${change.task}-${change.seed ?? 0}`, attemptId: null },
    ...{ entry: 0, seed: 0, state: 'graded', tries: 1, resolved: false, reward: 0 },
    ...{ exitReason: 'agent', detail: null, steps: 10 },
    tokens: { prompt: 1_000, completion: 100, cached: 600 },
    seconds: { model: 40, tools: 10, total: 60, grading: 5 },
    ...{ peakMemoryBytes: 100, energyJoules: null },
    patch: { bytes: 1, files: 1, insertions: 1, deletions: 0, blob: 'b' },
    ...{
      grading: null,
      outcome: null,
      ending: null,
      premature: false,
      suspicions: [],
      label: null,
    },
    ...{ startedAt: 0, finishedAt: 1 },
    ...change,
  };
}

/** The runs of a task: `+` solved, `-` not, `i` infra, `r` still running. */
export function runs(task: string, marks: string, change: Partial<RunCell> = {}): RunCell[] {
  const states = { i: 'infra', r: 'running' } as const;
  return marks.split('').map((mark, seed) =>
    cell({
      ...{ task, seed, resolved: mark === '+' },
      state: mark === 'i' || mark === 'r' ? states[mark] : 'graded',
      ...change,
    }),
  );
}
