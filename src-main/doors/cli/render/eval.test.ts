import { describe, expect, test } from 'vitest';
import type { RunCell } from '../../../contract/index.ts';
import type { RunDetails, RunProgress } from '../../../core/index.ts';
import { liveLines, tallyLine } from '../progress/eval-watch.ts';
import { renderCells, renderRun, renderRuns } from './eval.ts';

function cell(change: Partial<RunCell>): RunCell {
  return {
    ...{ runId: 'r1', sessionId: 's1', attemptId: 's1.1', task: 'tax', entry: 0, seed: 0 },
    ...{ state: 'graded', tries: 1, resolved: true, reward: 1, exitReason: 'agent', detail: null },
    ...{ steps: 4, tokens: { prompt: 1000, completion: 50, cached: null } },
    seconds: { model: 50, tools: 1, total: 60, grading: 2 },
    ...{ peakMemoryBytes: null, energyJoules: null, grading: null, outcome: 'resolved' },
    patch: { bytes: 9, files: 1, insertions: 1, deletions: 1, blob: null },
    ...{ ending: 'final_answer', premature: false, suspicions: [], label: null },
    ...{ startedAt: 0, finishedAt: 0 },
    ...change,
  };
}

const entry = (label: string) => ({
  ...{ label, model: 'm', modelName: 'm' },
  ...{ scaffold: 'leaf', scaffoldName: 'leaf', scaffoldHash: 'h' },
});

const DETAILS: RunDetails = {
  run: {
    ...{ runId: 'r1', name: 'shop\u001b[2J', state: 'done', createdAt: 0, finishedAt: 1 },
    ...{ tasks: 2, entries: ['a x leaf', 'b x leaf'], seeds: 2 },
    cells: { total: 8, graded: 5, resolved: 2, infra: 1, running: 0 },
  },
  created: {
    ...{ name: 'shop', tasksFolder: '/t', tasksHash: 'h', seeds: [0, 1], environment: {} },
    tasks: ['tax', 'age'].map((name) => ({ name, hash: name })),
    entries: [entry('a x leaf'), entry('b x leaf')],
    settings: {
      ...{ maxSteps: 0, maxContextTokens: 0, maxTokensPerTurn: 0, timeLimitMs: 0, sampling: {} },
      ...{ workers: 1, infraRetries: 1, preset: null },
    },
    owner: 'me',
  },
  cells: [
    cell({}),
    cell({ seed: 1, resolved: false, steps: 6, outcome: 'never_fixed' }),
    cell({ task: 'age', state: 'infra', resolved: false, outcome: 'infra', detail: 'no image' }),
  ],
};

describe('the table of a run', () => {
  test('infra stands beside the share, and is no part of it', () => {
    expect(renderRun(DETAILS, null).split('\n')).toEqual([
      'Run r1 "shop\\x1b[2J": done, 2 tasks x 2 seeds x 2 entries',
      '',
      'RESOLVED  SHARE   INFRA  LEFT  STEPS  TIME        TOKENS  ENTRY',
      '1 of 2    50.0 %  1      1     5.0    1 min 00 s  1,050   a x leaf',
      '0 of 0    -       0      4     -      -           ?       b x leaf',
      '',
    ]);
  });

  test('each cell with what it came to', () => {
    const lines = renderCells(DETAILS, null).split('\n');
    expect(lines[1]).toMatch(/^tax +0 +resolved +final_answer +4 +1 +s1 +a x leaf/);
    expect(lines[3]).toMatch(/^age +0 +infra .* no image$/);
  });

  test('all runs, newest first, with done and resolved', () => {
    const lines = renderRuns([DETAILS.run], 120_000, null).split('\n');
    expect(lines[1]).toMatch(/^r1 +done +2 min +6\/8 +2\/5 +1 +shop/);
  });
});

describe('progress', () => {
  const PROGRESS: RunProgress = {
    ...{ total: 1500, finished: 12, resolved: 8, infra: 1, last: null, held: 'no room' },
    running: [{ task: 'tax', entry: 'a x leaf', seed: 2, step: 4 }],
    secondsLeft: { likely: 7800, low: 6600, high: 9600 },
  };

  test('says the time left with its range, or that it is not known', () => {
    expect(tallyLine(PROGRESS)).toBe(
      '12 of 1500 done, 8 resolved, 1 infra; about 2 h 10 min left (1 h 50 min to 2 h 40 min)',
    );
    expect(tallyLine({ ...PROGRESS, secondsLeft: null })).toMatch(/; time left not known yet$/);
    expect(tallyLine({ ...PROGRESS, finished: 1500 })).toBe(
      '1500 of 1500 done, 8 resolved, 1 infra',
    );
  });

  test('the cells that run, and why no more do', () => {
    expect(liveLines(PROGRESS, '0:07').slice(1)).toEqual([
      '  tax seed 2, step 4 | a x leaf',
      '  waits: no room',
    ]);
  });
});
