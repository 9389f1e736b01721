export interface EditLine {
  kind: 'same' | 'del' | 'add';
  text: string;
}

/** Beyond this many pairs of lines, the middle is shown as all removed, then all added. */
const MOST_PAIRS = 250_000;

/** The old piece and the new one as one list of lines, with what they share once. */
export function editLines(before: string, after: string): EditLine[] {
  // Where both end with a line feed, it is the end of their last lines and no line after them.
  const bothEnd = before.endsWith('\n') && after.endsWith('\n');
  const old = linesOf(before, bothEnd);
  const fresh = linesOf(after, bothEnd);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const same = (lines: string[]) => lines.map((text): EditLine => ({ kind: 'same', text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...same(end === 0 ? [] : old.slice(-end)),
  ];
}

/** Nothing has no lines; what is taken away whole leaves no empty one behind. */
function linesOf(text: string, withoutEnd: boolean): string[] {
  if (text === '') return [];
  return (withoutEnd ? text.slice(0, -1) : text).split('\n');
}

function middle(old: string[], fresh: string[]): EditLine[] {
  const lines: EditLine[] = [];
  const tooMany = old.length * fresh.length > MOST_PAIRS;
  const longest = tooMany ? [] : commonLengths(old, fresh);
  const alike = tooMany ? 0 : old.length;
  let [from, to] = [0, 0];
  while (from < alike && to < fresh.length) {
    if (old[from] === fresh[to]) {
      lines.push({ kind: 'same', text: old[from] ?? '' });
      from += 1;
      to += 1;
    } else if ((longest[from + 1]?.[to] ?? 0) >= (longest[from]?.[to + 1] ?? 0)) {
      lines.push({ kind: 'del', text: old[from] ?? '' });
      from += 1;
    } else {
      lines.push({ kind: 'add', text: fresh[to] ?? '' });
      to += 1;
    }
  }
  for (const text of old.slice(from)) lines.push({ kind: 'del', text });
  for (const text of fresh.slice(to)) lines.push({ kind: 'add', text });
  return lines;
}

/** Length of the longest common rest from each pair of places on. */
function commonLengths(old: string[], fresh: string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let from = old.length - 1; from >= 0; from -= 1) {
    const [row, below] = [rows[from], rows[from + 1]];
    if (row === undefined || below === undefined) continue;
    for (let to = fresh.length - 1; to >= 0; to -= 1) {
      const after = below[to + 1] ?? 0;
      row[to] = old[from] === fresh[to] ? after + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0);
    }
  }
  return rows;
}
