import { lineEndOf, mainLineEnd, splitPieces } from '../text/lines.ts';
import type { Splice } from '../text/splice.ts';
import type { Reading } from './candidates.ts';

/** Above this many line pairs, lines are compared from both ends only. */
const MAX_PAIRS = 1_000_000;

/**
 * What to replace so that each match reads as the new text: only the lines that differ between the
 * old and the new string are touched, so that all others keep their line ends and trailing blanks.
 */
export function planSplices(file: string, reading: Reading): Splice[] {
  const old = splitPieces(reading.old);
  const wanted = splitPieces(reading.new);
  const runs = changedRuns(old, wanted);
  const lineEndAfter = lineEndFinder(file);
  return reading.matches.flatMap((match) => {
    const there = splitPieces(file.slice(match.start, match.end));
    const starts = startsOf(there, match.start);
    const fallback = lineEndAfter(match.end);
    const hunks =
      there.length === old.length
        ? runs
        : [{ old: [0, there.length] as const, new: [0, wanted.length] as const }];
    return hunks.map((hunk) => ({
      start: starts[hunk.old[0]] ?? match.end,
      end: starts[hunk.old[1]] ?? match.end,
      text: withLineEnds(wanted.slice(...hunk.new), there, hunk.old, fallback),
    }));
  });
}

/** Each new line takes the line end of the line it replaces, added ones that of the line before. */
function withLineEnds(
  lines: readonly string[],
  there: readonly string[],
  [from, to]: readonly [number, number],
  fallback: '\r\n' | '\n',
): string {
  const before = there.slice(0, from).findLast((piece) => lineEndOf(piece) !== '');
  let current = before === undefined ? fallback : lineEndOf(before) || fallback;
  return lines
    .map((line, index) => {
      const replaced = from + index < to ? lineEndOf(there[from + index] ?? '') : '';
      if (replaced !== '') current = replaced;
      return line.endsWith('\n') ? line.slice(0, -1) + current : line;
    })
    .join('');
}

/**
 * Line end of the line in which a match ends; the file's usual one when that line is open. Asked
 * for ascending positions, it looks at each line once.
 */
function lineEndFinder(file: string): (at: number) => '\r\n' | '\n' {
  let next = -1;
  let main: '\r\n' | '\n' | undefined;
  return (at) => {
    if (next < at && next !== file.length) next = file.indexOf('\n', at);
    if (next === -1) next = file.length;
    if (next === file.length) return (main ??= mainLineEnd(file));
    return file[next - 1] === '\r' ? '\r\n' : '\n';
  };
}

function startsOf(pieces: readonly string[], from: number): number[] {
  let at = from;
  return pieces.map((piece) => {
    const start = at;
    at += piece.length;
    return start;
  });
}

interface Run {
  /** First line and the line behind the last, in the old and in the new text. */
  old: readonly [number, number];
  new: readonly [number, number];
}

/** Runs of lines that are not common to both texts. */
function changedRuns(old: readonly string[], wanted: readonly string[]): Run[] {
  let head = 0;
  while (head < old.length && head < wanted.length && old[head] === wanted[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, wanted.length) - head &&
    old[old.length - 1 - tail] === wanted[wanted.length - 1 - tail]
  ) {
    tail++;
  }
  const pairs = commonPairs(
    old.slice(head, old.length - tail),
    wanted.slice(head, wanted.length - tail),
  );
  const runs: Run[] = [];
  let a = head;
  let b = head;
  for (const [i, j] of [
    ...pairs,
    [old.length - tail - head, wanted.length - tail - head],
  ] as const) {
    if (head + i > a || head + j > b) runs.push({ old: [a, head + i], new: [b, head + j] });
    a = head + i + 1;
    b = head + j + 1;
  }
  return runs;
}

/** Longest common subsequence, as index pairs. */
function commonPairs(old: readonly string[], wanted: readonly string[]): [number, number][] {
  if (old.length * wanted.length > MAX_PAIRS) return [];
  const width = wanted.length + 1;
  const best = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = wanted.length - 1; j >= 0; j--) {
      best[i * width + j] =
        old[i] === wanted[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < wanted.length) {
    if (old[i] === wanted[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
