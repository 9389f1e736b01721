/** For tests, measurements and pictures: runs as they would be on record, with no chance in them. */
import type { Ending, Grading, Outcome, RunCell, RunEntry } from '../../contract/index.ts';
import { indexSource } from '../statistics/index.ts';
import type { RunOnRecord } from './run-on-record.ts';

export function entry(label: string): RunEntry {
  const [modelName = '', scaffoldName = ''] = label.split(' x ');
  return {
    ...{ label, model: modelName, modelName, scaffold: scaffoldName, scaffoldName },
    scaffoldHash: 'ab'.repeat(32),
  };
}

/** A run of these cells: its tasks and seeds are those that occur in them. */
export function runOf(
  cells: readonly RunCell[],
  {
    labels = ['m x leaf'],
    ...change
  }: Partial<RunOnRecord['created']> & { labels?: string[] } = {},
  runId = 'run-1',
): RunOnRecord {
  const names = [...new Set(cells.map(({ task }) => task))];
  const seeds = [...new Set(cells.map(({ seed }) => seed))];
  const created: RunOnRecord['created'] = {
    ...{ name: 'demo', tasksFolder: '/home/someone/tasks', tasksHash: 'cd'.repeat(32), seeds },
    tasks: names.map((name) => ({ name, hash: `hash of ${name}` })),
    entries: labels.map(entry),
    settings: {
      ...{
        maxSteps: 150,
        maxContextTokens: 131_072,
        maxTokensPerTurn: 8192,
        timeLimitMs: 10_800_000,
      },
      ...{ sampling: { temperature: 0.6 }, workers: 4, infraRetries: 2, preset: null },
    },
    environment: { vivarium: '0.5.0', processor: 'Some CPU', cores: '8' },
    owner: 'host:1:2',
    ...change,
  };
  const count = (state: RunCell['state']) => cells.filter((one) => one.state === state).length;
  return {
    created,
    cells,
    summary: {
      ...{ runId, name: created.name, state: 'done', createdAt: 1.8e12, finishedAt: 1.8e12 + 9e6 },
      ...{ tasks: created.tasks.length, entries: labels, seeds: created.seeds.length },
      cells: {
        ...{ total: created.tasks.length * labels.length * created.seeds.length },
        ...{ graded: count('graded'), infra: count('infra'), running: count('running') },
        resolved: cells.filter((one) => one.resolved).length,
      },
    },
  };
}

const FAILED: [Outcome, number][] = [
  ['never_fixed', 60],
  ['regression', 20],
  ['partial', 8],
  ['fixed_with_regression', 6],
  ['empty', 4],
  ['not_applied', 2],
];
const ENDINGS: [Ending, number][] = [
  ['final_answer', 80],
  ['steps', 10],
  ['context', 4],
  ['loop', 3],
  ['tokens', 2],
  ['time', 1],
];
const SEARCHED = {
  kind: 'history_searched' as const,
  step: 3,
  evidence: 'git log --all -S "def to_internal_value"',
};
const PROJECTS = [
  'django__django',
  'sympy__sympy',
  'scikit-learn__scikit-learn',
  'sphinx-doc__sphinx',
];

/** A run as SWE-bench Verified gives them: names, unmet tests, costs of realistic lengths; no chance in it. */
export function generatedRun(
  { tasks = 500, seeds = 3, labels = ['FrogNano-4B-Q8_0 x leaf'], seed = 7 } = {},
  runId = 'generated-run',
): RunOnRecord {
  const draw = indexSource(seed);
  const chance = () => draw(10_000) / 10_000;
  const cells: RunCell[] = [];
  for (let n = 0; n < tasks; n += 1) {
    const task = `${PROJECTS[n % PROJECTS.length]}-${10_000 + n * 7}`;
    const ease = chance();
    labels.forEach((_, at) => {
      for (let one = 0; one < seeds; one += 1) {
        const solved = chance() < 0.15 + 0.7 * ease + 0.05 * at;
        cells.push(generatedCell({ task, seed: one, entry: at, runId }, solved, draw));
      }
    });
  }
  return runOf(cells, { labels, name: 'swe-bench-verified' }, runId);
}

function generatedCell(
  place: Pick<RunCell, 'task' | 'seed' | 'entry' | 'runId'>,
  solved: boolean,
  draw: (size: number) => number,
): RunCell {
  const isInfra = draw(100) === 0;
  const outcome = solved ? 'resolved' : pick(FAILED, draw);
  const steps = 8 + draw(40) + (draw(10) === 0 ? draw(100) : 0);
  const prompt = steps * (9_000 + draw(9_000));
  const seconds = steps * (4 + draw(8));
  const base: Omit<RunCell, 'state' | 'resolved' | 'reward' | 'grading'> = {
    ...place,
    sessionId: `s${place.entry}-${place.seed}-${place.task}`,
    ...{ attemptId: 'a', tries: isInfra ? 3 : 1, exitReason: 'agent', detail: null, steps },
    tokens: { prompt, completion: steps * (300 + draw(500)), cached: Math.round(prompt * 0.93) },
    seconds: {
      ...{ model: seconds * 0.8, tools: seconds * 0.15, total: seconds },
      grading: 20 + draw(60),
    },
    peakMemoryBytes: (200 + draw(1500)) * 1024 * 1024,
    energyJoules: null,
    patch: { bytes: 900, files: 1 + draw(3), insertions: draw(40), deletions: draw(20), blob: 'b' },
    ending: solved ? 'final_answer' : pick(ENDINGS, draw),
    outcome,
    premature: draw(15) === 0,
    suspicions: draw(40) === 0 ? [SEARCHED] : [],
    label: null,
    ...{ startedAt: 1.8e12, finishedAt: 1.8e12 + seconds * 1000 },
  };
  return isInfra
    ? { ...base, state: 'infra', resolved: false, reward: null, outcome: 'infra', grading: infra() }
    : {
        ...base,
        state: 'graded',
        resolved: solved,
        reward: Number(solved),
        grading: graded(solved, draw),
      };
}

function pick<T>(from: readonly (readonly [T, number])[], draw: (size: number) => number): T {
  let at = draw(100);
  for (const [value, share] of from) if ((at -= share) < 0) return value;
  return from[0]?.[0] as T;
}

export function graded(resolved: boolean, draw: (size: number) => number = () => 2): Grading {
  const unmet = Array.from({ length: resolved ? 0 : 1 + draw(6) }, (_, n) => ({
    name: `tests/model_fields/test_${draw(90)}.py::TestFieldDeconstruction::test_case_${n}[param-${draw(900)}]`,
    status: 'FAILED' as const,
  }));
  return {
    ...{
      state: 'graded',
      infra: null,
      resolved,
      reward: Number(resolved),
      rewards: {},
      applied: true,
    },
    failToPass: { expected: 6, met: 6 - unmet.length, unmet },
    passToPass: { expected: 120, met: 120, unmet: [] },
    ...{ tests: { PASSED: 126 - unmet.length, FAILED: unmet.length }, exitCode: 0, seconds: 31 },
    ...{ readBy: 'junit', evidence: {}, summary: resolved ? 'resolved' : 'tests not fixed' },
  };
}

function infra(): Grading {
  return {
    ...graded(false),
    ...{ state: 'infra', reward: null, failToPass: null, passToPass: null, tests: null },
    infra: { reason: 'out_of_memory', detail: 'the kernel ended the tests for memory' },
  };
}
