import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback } from 'react';
import { type Cursor, rowOfCursor } from './cursor.ts';
import { estimatedHeight, type Row } from './rows.ts';

/** Rows of a diff in sight; the file they belong to stays at the top, the keyboard's mark stays mounted. */
export function useDiffRows(
  rows: readonly Row[],
  scroller: RefObject<HTMLDivElement | null>,
  cursor: Cursor | null,
) {
  const marked = cursor === null ? -1 : rowOfCursor(rows, { ...cursor, line: null });
  const rangeExtractor = useCallback(
    (range: Range) => {
      const wanted = new Set(defaultRangeExtractor(range));
      const head = headOf(rows, range.startIndex);
      if (head !== -1) wanted.add(head);
      if (marked !== -1) wanted.add(marked);
      return [...wanted].toSorted((one, other) => one - other);
    },
    [rows, marked],
  );
  // Its answers change without its identity: nothing here is kept by a memo.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : estimatedHeight(row);
    },
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 1,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor,
  });
  const first = virtualizer.range?.startIndex ?? 0;
  return { virtualizer, stuck: headOf(rows, first) };
}

/** Room for the file's head, which lies over what is scrolled to. */
const HEAD_PX = 34;

/** Place of the head of the file that a row belongs to. */
function headOf(rows: readonly Row[], index: number): number {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at -= 1) {
    if (rows[at]?.kind === 'file') return at;
  }
  return -1;
}
