/**
 * A script for a `script:` model that solves some of the tasks in a folder, to try calibration on:
 * every third task always, the next with every other seed, the next never.
 *
 *   node scripts/synth-packages/solver-script.ts TASKS SCRIPT.jsonl
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { readTaskSet, type Task } from '../../src-main/evaluation/index.ts';

/** As many as a calibration probes with. */
const SEEDS = 8;
const LOOK = [
  { content: 'I look.', tool_calls: [{ name: 'Bash', arguments: { command: 'ls' } }] },
  { content: 'I cannot find the cause.' },
];

const [folder = '', file = ''] = process.argv.slice(2);
const { tasks } = await readTaskSet(folder);
// Of tasks with the same words the first one's fix is tried on all of them.
const told = [...new Map(tasks.toReversed().map((task) => [whenOf(task), task])).values()];
const lines = (await Promise.all(told.map(sectionsOf))).flat();
const all = [{ script: { model: 'solves-some' } }, ...lines];
await writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));

function whenOf({ instruction }: Task): string {
  return instruction.trim();
}

async function sectionsOf(task: Task, number: number): Promise<object[]> {
  const fix = await readFile(path.join(task.folder, 'solution', 'fix.patch'), 'utf8');
  const when = whenOf(task);
  const solved = (seed: number) => number % 3 === 0 || (number % 3 === 1 && seed % 2 === 0);
  return Array.from({ length: SEEDS }, (_, seed) => [
    { when, seed },
    ...(solved(seed) ? applying(fix) : LOOK),
  ]).flat();
}

function applying(fix: string): object[] {
  const command = `git apply - <<'END_OF_FIX'\n${fix}END_OF_FIX`;
  return [
    { content: 'I mend it.', tool_calls: [{ name: 'Bash', arguments: { command } }] },
    { content: 'It is mended.' },
  ];
}
