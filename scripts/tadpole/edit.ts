/** An edit with an `old` text that occurs once. */
export interface Edit {
  old: string;
  new: string;
  /** 1-based number of the first line that differs. */
  line: number;
}

/** The smallest edit of whole lines from one text to another; `null` = they are equal. */
export function editOf(from: string, to: string): Edit | null {
  if (from === to) return null;
  const before = from.split('\n');
  const after = to.split('\n');
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const line = start + 1;
  const oldEnd = before.length - end;
  const newEnd = after.length - end;
  for (let first = start; first >= 0; first -= 1) {
    const old = before.slice(first, oldEnd).join('\n');
    if (old !== '' && from.split(old).length === 2) {
      return { old, new: after.slice(first, newEnd).join('\n'), line };
    }
  }
  return { old: from, new: to, line };
}

/** A line that is not the same in two texts; `undefined` = the other one ends before it. */
export interface DifferingLine {
  /** From 0. */
  at: number;
  line: string;
  other: string | undefined;
}

/** The lines of one text that differ from those of another, place by place. */
export function differingLines(from: string, to: string): DifferingLine[] {
  const others = to.split('\n');
  return from
    .split('\n')
    .map((line, at) => ({ at, line, other: others[at] }))
    .filter(({ line, other }) => line !== other);
}
