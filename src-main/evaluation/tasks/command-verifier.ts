import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { appFolder, shellWord } from '../../lib/index.ts';
import { ORDER_SEED, pytest, runnerOf, type TestRunner } from './runners/index.ts';
import type { NewTask, Task } from './types.ts';

/** The same task for a judge, with its tests in another order; `null` = in that of the files. */
export function inOrder(task: Task, order: number | null): Task {
  if (order === null) return task;
  const env = { ...task.verifier.env, [ORDER_SEED]: String(order) };
  return { ...task, verifier: { ...task.verifier, env } };
}

/** Whether {@link inOrder} changes anything: runners that shuffle nothing do not know the seed. */
export async function canShuffle({ folder }: Pick<Task, 'folder'>): Promise<boolean> {
  return (await readFile(path.join(folder, 'tests', 'test.sh'))).includes(ORDER_SEED);
}

/**
 * Globs for `TaskVerifier.protect`: what steers the runner that a command calls, and what would take
 * its place. `paths`: of the tree; what it brings itself is the code under test.
 */
export function judgeGlobs(command: string, paths: Iterable<string>): string[] {
  return (runnerOf(command) ?? pytest).protect(paths);
}

export interface CommandVerifier {
  workdir: string;
  /** Shell text that runs the tests, in the repository. */
  command: string;
  env?: Readonly<Record<string, string>>;
  /** Test files that are laid over the tree before the tests run, by their path in it. */
  files: Readonly<Record<string, Uint8Array | string>>;
  /** Files of the tree that are removed before the tests run. */
  removed?: readonly string[];
  /** Single tests by the runner's report (pytest's where none is known), or the exit code alone. */
  judgedBy?: 'tests' | 'exit-code';
  /** Leave the lines that the tests run as well, where the runner can tell them. */
  withLines?: boolean;
}

/**
 * Files of `tests/` that run a command and write the reward: the runner's report, wherever the command
 * calls it, is compared with `expected.json`; else exit code 0 is a solution. `test.sh` needs nothing
 * but a shell and Python, so that any Harbor harness can grade. It takes the folder of the results
 * from VERIFIER_DIR and the tree's from WORKDIR, where they are set, and ends with the command's exit
 * code.
 */
export async function commandVerifier(options: CommandVerifier): Promise<NewTask['tests']> {
  const laid = Object.entries(options.files).map(([name, content]) => [`files/${name}`, content]);
  const files = Object.fromEntries(laid) as NewTask['tests'];
  if (options.judgedBy === 'exit-code') return { 'test.sh': script(options, null), ...files };
  const runner = runnerOf(options.command) ?? pytest;
  const used = options.withLines === true ? withLines(runner) : runner;
  const own = ['reward.py', ...used.files].map(async (name) => [
    name,
    await readFile(path.join(appFolder(), 'resources', 'verifier', name)),
  ]);
  return {
    'test.sh': script(options, used),
    ...(Object.fromEntries(await Promise.all(own)) as NewTask['tests']),
    ...files,
  };
}

function withLines(runner: TestRunner): TestRunner {
  const { before = [], after = [], files = [] } = runner.lines ?? {};
  return {
    ...runner,
    before: [...runner.before, ...before],
    after: [...runner.after, ...after],
    files: [...runner.files, ...files],
  };
}

function script(options: CommandVerifier, runner: TestRunner | null): string {
  const { workdir, env = {}, removed = [] } = options;
  const keepsOutput = runner?.keepsOutput ?? false;
  const command = runner?.command(options.command) ?? options.command;
  const lines = [
    '#!/bin/sh',
    `# Lays the tests over the tree, runs them, and writes ${runner === null ? '' : 'junit.xml and '}reward.json.`,
    'tests=$(cd "$(dirname "$0")" && pwd)',
    'out=${VERIFIER_DIR:-/logs/verifier}',
    'mkdir -p "$out" && rm -f "$out/junit.xml" "$out/reward.json"',
    `cd "\${WORKDIR:-${workdir}}" || exit 3`,
    ...removed.map((name) => `rm -f -- ${shellWord(name)}`),
    'if [ -d "$tests/files" ]; then cp -R "$tests/files/." . || exit 3; fi',
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...(runner?.before ?? []),
    `(\n${command}\n)${keepsOutput ? ' > "$out/output.txt" 2>&1' : ''}`,
    'code=$?',
    ...(runner?.after ?? []),
    ...(keepsOutput ? ['rm -f "$out/output.txt"'] : []),
    ...(runner === null ? EXIT_CODE_LINES : COMPARE_LINES),
    'exit $code',
  ];
  return `${lines.join('\n')}\n`;
}

// -I: modules of the repository must not be taken for Python's own.
const COMPARE_LINES = [
  'python3 -I "$tests/reward.py" "$out/junit.xml" "$tests/expected.json" "$out/reward.json"',
];

const EXIT_CODE_LINES = [
  'if [ $code -eq 0 ]; then echo \'{"reward": 1}\'; else echo \'{"reward": 0}\'; fi > "$out/reward.json"',
];
