import { shuffled } from './random.ts';
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
  const lines = (task.files[task.module] ?? '').split('\n');
  const good = task.good.split('\n');
  const at = lines.findIndex((line, index) => line !== good[index]);
  const line = lines[at];
  if (line === undefined) return [];
  const changed = SLIPS.map(([from, to]) => line.replace(from, to)).filter(
    (each) => each !== line && each !== good[at],
  );
  return shuffled(random, [...new Set(changed)]).map((each) => lines.with(at, each).join('\n'));
}
