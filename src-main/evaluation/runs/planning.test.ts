import { describe, expect, test } from 'vitest';
import { createLeafScaffold } from '../../agent/index.ts';
import type { RunSettings } from '../../contract/index.ts';
import type { StoredCell } from '../../store/index.ts';
import { checkTasks } from './check-tasks.ts';
import { limitsOf } from './entry-limits.ts';
import { orderCells } from './order-cells.ts';
import { remainingWork } from './remaining-work.ts';
import { planOf, storedCell, taskNamed } from './testing.ts';

describe('the order of cells', () => {
  test('entries one after the other, in each the seeds of a task side by side', () => {
    const plan = planOf({ tasks: ['b', 'a'], entries: 2, seeds: [4, 7] });
    expect(orderCells(plan).map(({ entry, task, seed }) => `${entry}${task.name}${seed}`)).toEqual([
      ...['0b4', '0b7', '0a4', '0a7'],
      ...['1b4', '1b7', '1a4', '1a7'],
    ]);
  });
});

describe('what is left to do', () => {
  const plan = planOf({ tasks: ['a'], entries: 1, seeds: [0, 1, 2, 3, 4] });
  const left = (cells: StoredCell[], retryInfra = false) =>
    remainingWork({ ...plan, retryInfra }, cells).map(
      ({ job, sessionId, tries, ungraded }) => [job.seed, sessionId, tries, ungraded] as const,
    );

  test('a new run: everything', () => {
    expect(left([])).toEqual([0, 1, 2, 3, 4].map((seed) => [seed, null, 0, null]));
  });

  test('cells with a verdict are done; those cut off go on in their session', () => {
    const cells = [
      storedCell({ seed: 0, state: 'graded' }),
      storedCell({ seed: 1, state: 'infra', tries: 3 }),
      storedCell({ seed: 2, state: 'interrupted', exitReason: 'interrupted', tries: 2 }),
      storedCell({ seed: 3, state: 'stopped', exitReason: 'cancelled' }),
    ];
    expect(left(cells)).toEqual([
      [2, 's2', 2, null],
      [3, 's3', 1, null],
      [4, null, 0, null],
    ]);
    expect(left(cells, true)[0]).toEqual([1, 's1', 3, null]);
  });

  test('an attempt that came to its end only waits for its verdict', () => {
    const cells = [
      storedCell({ seed: 0, state: 'interrupted', exitReason: 'agent' }),
      storedCell({ seed: 1, state: 'stopped', exitReason: 'max_turns' }),
      storedCell({ seed: 2, state: 'interrupted', exitReason: 'llm_query_error' }),
    ];
    expect(left(cells).slice(0, 3)).toEqual([
      [0, 's0', 1, 's0.1'],
      [1, 's1', 1, 's1.1'],
      [2, 's2', 1, null],
    ]);
  });
});

describe('tasks of a run that goes on', () => {
  const recorded = [
    { name: 'b', hash: 'hash of b' },
    { name: 'a', hash: 'hash of a' },
  ];
  const set = (...tasks: ReturnType<typeof taskNamed>[]) => ({ tasks, folder: '/set' });

  test('are taken in the order of the run; others of the folder are not', () => {
    const tasks = checkTasks(recorded, set(taskNamed('a'), taskNamed('b'), taskNamed('c')));
    expect(tasks.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test.each([
    [
      'changed',
      set(taskNamed('a'), { ...taskNamed('b'), hash: 'other' }),
      'the task b was changed',
    ],
    ['gone', set(taskNamed('b')), 'the task a is not in /set any more'],
  ])('one that is %s is refused with what to do', (_, folder, message) => {
    expect(() => checkTasks(recorded, folder)).toThrow(
      expect.objectContaining({
        ...{ code: 'task_changed', message: expect.stringContaining(message) as string },
        next: 'Put it back as it was and resume, or start a new run.',
      }) as Error,
    );
  });
});

describe('limits of an attempt', () => {
  const scaffold = createLeafScaffold();
  const OPEN: RunSettings = {
    ...{ maxSteps: 0, maxContextTokens: 0, maxTokensPerTurn: 0, timeLimitMs: 0, sampling: {} },
    ...{ workers: 1, infraRetries: 0, preset: null },
  };
  const driving = {
    ...{
      sampling: { temperature: 0.7, topP: 0.9 },
      maxTokensPerTurn: 4000,
      maxInputTokens: 46_000,
    },
  };
  const setup = { scaffold, scaffoldFile: 'leaf', driving, maxSteps: 77 };

  test('left open they are those of the profile, then of task and scaffold', () => {
    expect(limitsOf(OPEN, setup, { agentTimeoutMs: 9000 })).toEqual({
      ...{ maxSteps: 77, maxContextTokens: scaffold.limits.maxContextTokens, timeLimitMs: 9000 },
      driving,
    });
    const bare = limitsOf(
      OPEN,
      { scaffold, scaffoldFile: 'leaf', driving: null },
      { agentTimeoutMs: null },
    );
    expect(bare).toMatchObject({
      maxSteps: scaffold.limits.maxSteps,
      timeLimitMs: scaffold.limits.timeLimitMs,
      driving: { sampling: {}, maxTokensPerTurn: null, maxInputTokens: null },
    });
  });

  test('what the run sets wins', () => {
    const settings = {
      ...{ ...OPEN, maxSteps: 150, maxContextTokens: 131_072, maxTokensPerTurn: 8192 },
      ...{ timeLimitMs: 10_800_000, sampling: { temperature: 0.6 } },
    };
    expect(limitsOf(settings, setup, { agentTimeoutMs: 9000 })).toEqual({
      ...{ maxSteps: 150, maxContextTokens: 131_072, timeLimitMs: 10_800_000 },
      driving: {
        ...{ sampling: { temperature: 0.6, topP: 0.9 }, maxTokensPerTurn: 8192 },
        maxInputTokens: 46_000,
      },
    });
  });
});
