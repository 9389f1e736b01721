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

/** Another small mistake in place of the bug: the bug's line changed once more. */
export function wrongOf(task: BuggyRepository, random: () => number): string | null {
  const lines = (task.files[task.module] ?? '').split('\n');
  const good = task.good.split('\n');
  const at = lines.findIndex((line, index) => line !== good[index]);
  const line = lines[at];
  if (line === undefined) return null;
  const choices = SLIPS.map(([from, to]) => line.replace(from, to)).filter(
    (each) => each !== line && each !== good[at],
  );
  const chosen = choices[Math.floor(random() * choices.length)];
  return chosen === undefined ? null : lines.with(at, chosen).join('\n');
}
