import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useId, useLayoutEffect, useRef } from 'react';
import type { Column } from './column.ts';
import { GridHead, GridHeading, GridRow } from './grid-row.tsx';
import { besideHeadings, indexAfterKey } from './list-keys.ts';
import { useMark } from './use-mark.ts';
import styles from './virtual-grid.module.css';

export type { Column };

export interface VirtualGridProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  columns: Array<Column<Item>>;
  /** Heading row; without it, the names of the columns are told to assistive techniques only. */
  showHeader?: boolean;
  /** Row height in rem; all rows have the same. */
  rowRem?: number;
  /** Enter or a press on a row. */
  onOpen: (item: Item) => void;
  /** The marked row moved (arrows, j/k, a press); `null` = none is marked. */
  onMark?: (item: Item | null) => void;
  /** Any other key while a row is marked; return true when it was used. */
  onKey?: (event: KeyboardEvent, item: Item) => boolean;
  /** The last drawn row came near the end: time to ask for more. */
  onNearEnd?: () => void;
  /** First and last drawn row, each time they change. */
  onRange?: (first: number, last: number) => void;
  /** What stands across all columns instead of cells: headings of groups. The mark passes over them. */
  headingOf?: (item: Item) => string | null;
  /** Takes the focus when it appears. */
  autoFocus?: boolean;
}

const NEAR_END = 40;
/** As in virtual-grid.module.css. */
const HEAD_REM = 1.75;

/** Rows of a table of any length: only those in sight exist. One stop of the Tab key. */
export function VirtualGrid<Item>(props: VirtualGridProps<Item>) {
  const { items, columns, onOpen, showHeader = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const mark = useMark(props);
  const virtualizer = useRows(props, scroller);
  const onKeyDown = useGridKeys(props, mark, virtualizer);
  const onPress = useSame((index: number, onControl: boolean) => {
    const item = items[index];
    mark.set(index);
    if (item !== undefined && !onControl) onOpen(item);
  });
  const template = columns.map(({ width }) => width).join(' ');
  const headPx = virtualizer.options.scrollMargin;
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={props.label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={mark.index >= 0 ? `${id}-${mark.index}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <GridHead columns={columns} template={template} hidden={!showHeader} />
      <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          const top = start - headPx;
          const heading = props.headingOf?.(item) ?? null;
          if (heading !== null) {
            return (
              <GridHeading
                key={key}
                index={index}
                columns={columns.length}
                style={{ height: size, transform: `translateY(${top}px)` }}
              >
                {heading}
              </GridHeading>
            );
          }
          return (
            <GridRow
              key={key}
              id={`${id}-${index}`}
              item={item}
              index={index}
              columns={columns}
              isMarked={index === mark.index}
              {...{ template, size, top, onPress }}
            />
          );
        })}
      </div>
    </div>
  );
}

function useRows<Item>(
  props: VirtualGridProps<Item>,
  scroller: React.RefObject<HTMLDivElement | null>,
) {
  const { items, keyOf, rowRem = 2.75, onNearEnd, onRange, showHeader, autoFocus } = props;
  const rowPx = rowRem * rootFontPx();
  const headPx = showHeader === true ? HEAD_REM * rootFontPx() : 0;
  // Its answers change without its identity: nothing here is kept by a memo.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    // The heading row lies over the first rows and moves the body down.
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    // Another function would have all rows measured anew.
    getItemKey: useCallback(
      (index: number) => {
        const item = items[index];
        return item === undefined ? index : keyOf(item);
      },
      [items, keyOf],
    ),
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useLayoutEffect(() => onRange?.(first, last), [onRange, first, last]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  useLayoutEffect(() => {
    if (items.length > 0 && last >= items.length - NEAR_END) onNearEnd?.();
  }, [last, items.length, onNearEnd]);
  useLayoutEffect(() => {
    if (autoFocus === true) scroller.current?.focus();
  }, [autoFocus, scroller]);
  return virtualizer;
}

function useGridKeys<Item>(
  { items, onOpen, onKey, headingOf, rowRem = 2.75 }: VirtualGridProps<Item>,
  mark: ReturnType<typeof useMark>,
  virtualizer: ReturnType<typeof useRows>,
) {
  const isHeading = (index: number) => {
    const item = items[index];
    return item !== undefined && (headingOf?.(item) ?? null) !== null;
  };
  return (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys pressed on a button inside a row are the button's.
    if (event.target !== event.currentTarget) return;
    const page = Math.floor(event.currentTarget.clientHeight / (rowRem * rootFontPx()));
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const at = { index: mark.index, count: items.length, page };
    const wanted = plain ? indexAfterKey(event.key, at) : null;
    const next =
      wanted === null ? null : besideHeadings(wanted, mark.index, items.length, isHeading);
    const marked = items[mark.index];
    if (next !== null) {
      mark.set(next);
      virtualizer.scrollToIndex(next);
    } else if (plain && event.key === 'Enter' && marked !== undefined) {
      onOpen(marked);
    } else if (marked === undefined || onKey?.(event, marked) !== true) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

/** A function that stays the same and does what the newest one does. */
function useSame<Arguments extends unknown[]>(run: (...given: Arguments) => void) {
  const newest = useRef(run);
  useLayoutEffect(() => {
    newest.current = run;
  });
  return useCallback((...given: Arguments) => newest.current(...given), []);
}

function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
