/** Where a key leads in a list, and what part of a table of rows is worth drawing. All pure. */

export interface ListPosition {
  /** -1 = nothing is marked yet. */
  index: number;
  count: number;
  /** Whole rows that fit on the screen. */
  page: number;
}

/** The row a key leads to; `null` when the key is not one of the list's or the list is empty. */
export function indexAfterKey(key: string, { index, count, page }: ListPosition): number | null {
  if (count === 0) return null;
  const step = Math.max(1, page - 1);
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(count - 1, index + 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(count - 1, Math.max(0, index) + step);
    case 'PageUp':
      return Math.max(0, index - step);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Where the marked row is after the rows changed: the same item, or the one now in its place. */
export function indexAfterChange(keys: string[], marked: string | null, before: number): number {
  if (keys.length === 0) return -1;
  const same = marked === null ? -1 : keys.indexOf(marked);
  if (same !== -1) return same;
  return before < 0 ? -1 : Math.min(before, keys.length - 1);
}

/** The nearest row from where a key leads that is no heading, first onwards in the same direction. */
export function besideHeadings(
  wanted: number,
  before: number,
  count: number,
  isHeading: (index: number) => boolean,
): number | null {
  const onward = wanted >= before ? 1 : -1;
  for (const step of [onward, -onward]) {
    for (let index = wanted; index >= 0 && index < count; index += step) {
      if (!isHeading(index)) return index;
    }
  }
  return null;
}
