import type { Change } from 'gitdiff-parser';
import { blocksOf } from './blocks.ts';
import { keyOf } from './read-file.ts';

/** From and to within a line. */
export type Span = readonly [number, number];

/** Longer lines are not compared. */
const LONGEST = 1_000;

/** What changed within lines that took another's place: all but their common start and end. */
export function editsOf(changes: readonly Change[]): Map<string, Span> {
  const edits = new Map<string, Span>();
  for (const block of blocksOf(changes)) {
    if (block.kind === 'same' || block.removed.length !== block.added.length) continue;
    for (const [at, removed] of block.removed.entries()) {
      const added = block.added[at];
      const spans = added === undefined ? null : editOf(removed.content, added.content);
      if (added === undefined || spans === null) continue;
      edits.set(keyOf(removed), spans[0]);
      edits.set(keyOf(added), spans[1]);
    }
  }
  return edits;
}

/** `null` where next to nothing is common: then the whole line changed, which its colour says. */
export function editOf(before: string, after: string): [Span, Span] | null {
  if (before.length > LONGEST || after.length > LONGEST) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  start -= wordBefore(before, after, start);
  end -= wordAfter(before, after, end);
  const common = before.slice(0, start) + before.slice(before.length - end);
  if (common.trim().length < Math.min(3, most / 3)) return null;
  return [
    [start, before.length - end],
    [start, after.length - end],
  ];
}

const WORD = /[\p{L}\p{N}_]/u;

/** How many characters the common start reaches into a word that changes. */
function wordBefore(before: string, after: string, start: number): number {
  if (!isWord(before, start) && !isWord(after, start)) return 0;
  let count = 0;
  while (isWord(before, start - 1 - count)) count += 1;
  return count;
}

/** The same of the common end. */
function wordAfter(before: string, after: string, end: number): number {
  const last = isWord(before, before.length - end - 1) || isWord(after, after.length - end - 1);
  if (!last) return 0;
  let count = 0;
  while (count < end && isWord(before, before.length - end + count)) count += 1;
  return count;
}

function isWord(line: string, at: number): boolean {
  return WORD.test(line[at] ?? '');
}
