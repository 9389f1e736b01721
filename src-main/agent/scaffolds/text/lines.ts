/**
 * The lines of a text as `grep -n` and `sed -n` count them: only `\n` ends a line, and a last line
 * without it counts too (T17). The `\r` of a `\r\n` belongs to the line end and is not shown.
 */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const open = text.endsWith('\n') ? -1 : lines.length - 1;
  return text.includes('\r')
    ? lines.map((line, index) => (line.endsWith('\r') && index !== open ? line.slice(0, -1) : line))
    : lines;
}

/** Pieces that end with their line end; joined they are the text again. */
export function splitPieces(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [''];
}

/** `\r\n`, `\n`, or nothing for an open last piece. */
export function lineEndOf(piece: string): '\r\n' | '\n' | '' {
  return piece.endsWith('\r\n') ? '\r\n' : piece.endsWith('\n') ? '\n' : '';
}

/** 1-based number of the line that position `at` is in. */
export function lineNumberAt(text: string, at: number): number {
  let number = 1;
  for (
    let next = text.indexOf('\n');
    next !== -1 && next < at;
    next = text.indexOf('\n', next + 1)
  ) {
    number++;
  }
  return number;
}

/** The line end most lines have; `\n` when there is none or a draw. */
export function mainLineEnd(text: string): '\r\n' | '\n' {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  return crlf > all - crlf ? '\r\n' : '\n';
}

/** Every line ends with `\r\n`, and there is at least one. */
export function isAllCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

/** A text with some characters taken out or replaced one to one, and the way back to the original. */
export interface Folded {
  text: string;
  /** Position in the original of the unit that stands at `at`; what was taken out belongs to the next. */
  toOriginal(at: number): number;
}

/** Takes out every match of `pattern` (global, no empty matches). */
export function foldOut(text: string, pattern: RegExp): Folded {
  /** Position in the folded text behind which something was taken out, and how much in all by then. */
  const positions: number[] = [];
  const sums: number[] = [];
  let sum = 0;
  let folded = '';
  let kept = 0;
  for (const match of text.matchAll(pattern)) {
    folded += text.slice(kept, match.index);
    kept = match.index + match[0].length;
    positions.push(folded.length);
    sum += match[0].length;
    sums.push(sum);
  }
  folded += text.slice(kept);
  return {
    text: folded,
    toOriginal(at) {
      const before = countBelow(positions, at);
      return at + (before === 0 ? 0 : (sums[before - 1] ?? 0));
    },
  };
}

/** How many of the ascending numbers are smaller than `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
