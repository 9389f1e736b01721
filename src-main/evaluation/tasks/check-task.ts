import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Grading } from '../../contract/index.ts';
import { messageOf, VivariumError } from '../../lib/index.ts';
import type { Graded } from '../grading/types.ts';
import type { CheckRun, TaskCheck } from './check-file.ts';
import { canShuffle, inOrder } from './command-verifier.ts';
import { fixSigns } from './fix-signs.ts';
import { leakedFiles, toldLines } from './leaks.ts';
import type { Judges } from './open-judge.ts';
import { EXPECTED_FILE, readTask } from './read-task.ts';
import { networkProblems } from './preflight.ts';
import { findFlaky, problemsOf } from './steadiness.ts';
import type { Task, TreeFile } from './types.ts';

export interface CheckOptions {
  judges: Judges;
  /** The tree that a workspace begins with. */
  treeOf(task: Task): AsyncIterable<TreeFile>;
  /** Runs of each state; from the second on in another order of tests where the verifier can. */
  reruns: number;
  /** Of the orders. */
  seed: number;
  /** Take flaky tests off the task's lists on disk. */
  dropFlaky: boolean;
  /**
   * Refuse what is else a warning or preflight's: an instruction that quotes the fix, a verifier that
   * reaches for a network. For tasks that nobody reads before they are used.
   */
  strict?: boolean;
  signal: AbortSignal;
  onRun?: (run: CheckRun) => void;
}

/**
 * Checks that a task tells a fix from none: the tree fails, the known fix passes, the same every
 * time, and nothing of the answer lies in the tree.
 *
 * @throws the signal's reason, and errors that are no VivariumError
 */
export async function checkTask(task: Task, options: CheckOptions): Promise<TaskCheck> {
  const runs: Ran[] = [];
  const problems: string[] = [];
  const states = await statesOf(task, options);
  if (states.length < 2) {
    problems.push('it brings no known fix (solution/): whether it can be solved is not known');
  }
  await runAll(task, states, options, runs);
  const gradings = runs.map(({ run, graded }) => ({ state: run.state, grading: graded.grading }));
  const flaky = findFlaky(gradings);
  problems.push(...problemsOf(gradings, new Set(flaky), task.expected));
  problems.push(
    ...fixSigns(runs.flatMap(({ run, graded }) => (run.state === 'fix' ? graded : []))),
  );
  problems.push(...(await leaksOf(task, options)));
  const dropped = options.dropFlaky && flaky.length > 0 && task.expected !== null;
  const checked = dropped ? await withoutTests(task, new Set(flaky)) : task;
  if (dropped && checked.expected?.failToPass.length === 0) {
    problems.push('no steady test tells the fix');
  }
  const told = (await toldLines(task)).map(
    (line) => `the instruction quotes a line of the fix: ${line}`,
  );
  if (options.strict === true) problems.push(...told, ...(await networkProblems(task)));
  return {
    name: task.name,
    hash: checked.hash,
    ok: problems.length === 0 && (flaky.length === 0 || dropped),
    problems,
    warnings: options.strict === true ? [] : told,
    flaky,
    dropped,
    runs: runs.map(({ run }) => run),
    at: Date.now(),
  };
}

interface Ran {
  run: CheckRun;
  graded: Graded;
}

interface State {
  state: CheckRun['state'];
  judge(task: Task): Promise<Graded>;
}

/** The tree, and with it the known fix where there is one. */
async function statesOf(task: Task, { judges }: CheckOptions): Promise<State[]> {
  const solution = (name: string) => path.join(task.folder, 'solution', name);
  if (task.verifier.on === 'workspace') {
    const base: State = { state: 'base', judge: (one) => judges.state(one, false) };
    const oracle = await readFile(solution('solve.sh')).catch(() => undefined);
    if (oracle === undefined) return [base];
    return [base, { state: 'fix', judge: (one) => judges.state(one, true) }];
  }
  const base: State = { state: 'base', judge: (one) => judges.patch(one, new Uint8Array()) };
  const fix = await readFile(solution('fix.patch')).catch(() => undefined);
  if (fix === undefined) return [base];
  return [base, { state: 'fix', judge: (one) => judges.patch(one, fix) }];
}

async function runAll(
  task: Task,
  states: readonly State[],
  options: CheckOptions,
  runs: Ran[],
): Promise<void> {
  const shuffles = await canShuffle(task);
  for (const { state, judge } of states) {
    for (let at = 0; at < options.reruns; at += 1) {
      options.signal.throwIfAborted();
      const order = at === 0 || !shuffles ? null : options.seed + at;
      const graded = await judge(inOrder(task, order));
      const { grading } = graded;
      const run = runOf(state, order, grading);
      runs.push({ run, graded });
      options.onRun?.(run);
      // Runs that cannot be had are not tried again: each may take as long as its limit.
      if (grading.state === 'infra') return;
    }
  }
}

function runOf(state: CheckRun['state'], order: number | null, grading: Grading): CheckRun {
  const { failToPass, passToPass, resolved, seconds, infra } = grading;
  const met =
    failToPass === null || passToPass === null
      ? null
      : {
          met:
            (state === 'base' ? failToPass.expected - failToPass.met : failToPass.met) +
            passToPass.met,
          of: failToPass.expected + passToPass.expected,
        };
  return { state, order, resolved, asExpected: met, seconds, infra: infra?.detail ?? null };
}

async function leaksOf(task: Task, { treeOf }: CheckOptions): Promise<string[]> {
  try {
    return await leakedFiles(task, treeOf(task));
  } catch (error) {
    if (!(error instanceof VivariumError)) throw error;
    return [`the tree cannot be read: ${messageOf(error)}`];
  }
}

async function withoutTests(task: Task, flaky: ReadonlySet<string>): Promise<Task> {
  const { failToPass = [], passToPass = [] } = task.expected ?? {};
  const steady = (names: readonly string[]) => names.filter((name) => !flaky.has(name));
  const lists = { fail_to_pass: steady(failToPass), pass_to_pass: steady(passToPass) };
  const file = path.join(task.folder, 'tests', EXPECTED_FILE);
  await writeFile(file, `${JSON.stringify(lists, undefined, 1)}\n`);
  return readTask(task.folder);
}
