import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classes } from '../classes.ts';
import { besideHeadings, indexAfterChange, indexAfterKey } from './list-keys.ts';
import styles from './virtual-grid.module.css';

export interface Column<Item> {
  id: string;
  header: string;
  /** A track of a CSS grid: `minmax(0, 1fr)`, `6rem`. */
  width: string;
  align?: 'start' | 'end';
  render: (item: Item) => ReactNode;
}

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

/** Rows of a table of any length: only those in sight exist. One stop of the Tab key. */
export function VirtualGrid<Item>(props: VirtualGridProps<Item>) {
  const { items, keyOf, columns, rowRem = 2.75, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const mark = useMark(props);
  const rowPx = rowRem * rootFontPx();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey: (index) => keyAt(items, index, keyOf),
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  const headingAt = (index: number) => {
    const item = items[index];
    return item === undefined ? null : (props.headingOf?.(item) ?? null);
  };
  const { onRange } = props;
  useLayoutEffect(() => onRange?.(first, last), [onRange, first, last]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  useLayoutEffect(() => {
    if (items.length > 0 && last >= items.length - NEAR_END) onNearEnd?.();
  }, [last, items.length, onNearEnd]);
  useLayoutEffect(() => {
    if (props.autoFocus === true) scroller.current?.focus();
  }, [props.autoFocus]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.floor(event.currentTarget.clientHeight / rowPx);
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const wanted = plain
      ? indexAfterKey(event.key, { index: mark.index, count: items.length, page })
      : null;
    const isHeading = (index: number) => headingAt(index) !== null;
    const next =
      wanted === null ? null : besideHeadings(wanted, mark.index, items.length, isHeading);
    const marked = items[mark.index];
    if (next !== null) {
      mark.set(next);
      virtualizer.scrollToIndex(next);
    } else if (plain && event.key === 'Enter' && marked !== undefined) {
      props.onOpen(marked);
    } else if (marked === undefined || props.onKey?.(event, marked) !== true) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
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
      <div role="rowgroup" className={props.showHeader === true ? styles.head : 'visually-hidden'}>
        <div role="row" aria-rowindex={1} className={styles.headRow} style={template}>
          {columns.map((column) => (
            <div key={column.id} role="columnheader" className={styles[column.align ?? 'start']}>
              {column.header}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          const heading = headingAt(index);
          if (heading !== null) {
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={styles.heading}
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                <div role="gridcell" aria-colspan={columns.length}>
                  {heading}
                </div>
              </div>
            );
          }
          return (
            // Its keys are the grid's: the row is the active descendant, not the focus.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={key}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === mark.index}
              className={classes(styles.row, index === mark.index && styles.marked)}
              style={{ ...template, height: size, transform: `translateY(${start}px)` }}
              onClick={(event) => {
                mark.set(index);
                if (!isControl(event.target, event.currentTarget)) props.onOpen(item);
              }}
            >
              {columns.map((column) => (
                <div
                  key={column.id}
                  role="gridcell"
                  className={classes(styles.cell, styles[column.align ?? 'start'])}
                >
                  {column.render(item)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The marked row, which stays with its item while rows come and go above it. */
function useMark<Item>({ items, keyOf, onMark }: VirtualGridProps<Item>) {
  const [marked, setMarked] = useState<{ key: string | null; index: number }>({
    key: null,
    index: -1,
  });
  const there = items[marked.index];
  const stays = there !== undefined && keyOf(there) === marked.key;
  const index =
    stays || marked.index === -1
      ? marked.index
      : indexAfterChange(items.map(keyOf), marked.key, marked.index);
  return {
    index,
    set: (next: number) => {
      const item = items[next];
      if (item === undefined) return;
      setMarked({ key: keyOf(item), index: next });
      onMark?.(item);
    },
  };
}

function keyAt<Item>(items: readonly Item[], index: number, keyOf: (item: Item) => string): string {
  const item = items[index];
  return item === undefined ? String(index) : keyOf(item);
}

/** A press on a button or link inside a row is theirs. */
function isControl(target: EventTarget, row: Element): boolean {
  const control = target instanceof Element ? target.closest('button, a, input, label') : null;
  return control !== null && row.contains(control);
}

function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
