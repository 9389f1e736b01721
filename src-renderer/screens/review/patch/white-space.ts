import type { Change } from 'gitdiff-parser';
import { blocksOf } from './blocks.ts';

/** Above so many pairs of lines only lines at the same place are compared. */
const MOST_PAIRS = 40_000;

/**
 * Changes as they look when white space does not count: a removed and an added line that differ by
 * nothing else become one unchanged line, shown as it is afterwards. Only for looking at: what is
 * decided on and exported stays as it is.
 */
export function withoutWhiteSpace(changes: readonly Change[]): Change[] {
  return blocksOf(changes).flatMap((block) =>
    block.kind === 'same' ? block.changes : settled(block.removed, block.added),
  );
}

/** Whether changes differ by white space alone. */
export function isWhiteSpaceOnly(changes: readonly Change[]): boolean {
  return (
    changes.some(({ type }) => type !== 'normal') &&
    withoutWhiteSpace(changes).every(({ type }) => type === 'normal')
  );
}

type Removed = Extract<Change, { type: 'delete' }>;
type Added = Extract<Change, { type: 'insert' }>;

function settled(removed: readonly Removed[], added: readonly Added[]): Change[] {
  const result: Change[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const [one, other] of pairs(removed, added)) {
    result.push(...removed.slice(oldAt, one), ...added.slice(newAt, other));
    const before = removed[one];
    const after = added[other];
    if (before !== undefined && after !== undefined) result.push(same(before, after));
    oldAt = one + 1;
    newAt = other + 1;
  }
  result.push(...removed.slice(oldAt), ...added.slice(newAt));
  return result;
}

function same(before: Removed, after: Added): Change {
  return {
    type: 'normal',
    isNormal: true,
    content: after.content,
    oldLineNumber: before.lineNumber,
    newLineNumber: after.lineNumber,
  };
}

/** Places of lines that are the same without white space, in order: a longest common subsequence. */
function pairs(removed: readonly Removed[], added: readonly Added[]): Array<[number, number]> {
  const olds = removed.map(({ content }) => bare(content));
  const news = added.map(({ content }) => bare(content));
  if (olds.length * news.length > MOST_PAIRS) {
    return olds.flatMap((old, at): Array<[number, number]> => (old === news[at] ? [[at, at]] : []));
  }
  const width = news.length + 1;
  const lengths = new Uint32Array((olds.length + 1) * width);
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0;
  for (let one = olds.length - 1; one >= 0; one -= 1) {
    for (let other = news.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] =
        olds[one] === news[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const found: Array<[number, number]> = [];
  for (let one = 0, other = 0; one < olds.length && other < news.length;) {
    if (olds[one] === news[other]) found.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return found;
}

/** As git counts it: what only looks like a space, or like nothing, is a change to look at. */
const WHITE_SPACE = /[\t\v\f\r ]+/g;

function bare(line: string): string {
  return line.replaceAll(WHITE_SPACE, '');
}
