import { shuffled } from './random.ts';
import { differingLines } from './edit.ts';
import type { BuggyRepository } from './repositories.ts';

const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/\b0\b/u, '1'],
  [/\b1\b/u, '2'],
  [/ < /u, ' <= '],
  [/ > /u, ' >= '],
  [/ <= /u, ' < '],
  [/ >= /u, ' > '],
  [/ \+ /u, ' * '],
  [/ - /u, ' + '],
  [/ == /u, ' > '],
  [/ != /u, ' < '],
  [/return (\w+)$/u, 'return $1 + 1'],
  [/\bmax\(/u, 'sum('],
  [/\bmin\(/u, 'sum('],
];

/** Other small mistakes in place of the bug, in random order: the bug's line changed once more. */
export function wrongsOf(task: BuggyRepository, random: () => number): string[] {
  const bad = task.files[task.module] ?? '';
  const [first] = differingLines(bad, task.good);
  if (first === undefined) return [];
  const { at, line, other } = first;
  const lines = bad.split('\n');
  const changed = SLIPS.map(([from, to]) => line.replace(from, to)).filter(
    (each) => each !== line && each !== other,
  );
  return shuffled(random, [...new Set(changed)]).map((each) => lines.with(at, each).join('\n'));
}
