import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import type { RunReport } from '../../../../src-main/contract/index.ts';
import type { CellsAsked } from '../../../navigation.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import type { Cell, TaskLine } from '../cells.ts';
import { type CellPosition, positionAfterKey } from '../matrix-keys.ts';
import { GridHeads } from './grid-heads.tsx';
import { LineRow } from './line-row.tsx';
import styles from './matrix.module.css';

const ROW_REM = 2;
const HEAD_REM = 3.25;
/** Room for the shape and a word. */
const CELL_REM = 8.5;
const NAME_REM = 12;

export interface CellGridProps {
  report: RunReport;
  lines: readonly TaskLine[];
  asked: CellsAsked;
  marked: CellPosition | null;
  onMark: (at: CellPosition) => void;
  onOpen: (cell: Cell) => void;
}

/** Tasks below each other, entries and seeds beside each other. One stop of the Tab key; only rows in sight exist. */
export function CellGrid(props: CellGridProps) {
  const { report, lines, marked } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const columns = report.entries.length * report.seeds.length;
  const rem = rootFontPx();
  // Its answers change without its identity: nothing here is kept by a memo.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_REM * rem,
    overscan: 10,
    scrollMargin: HEAD_REM * rem,
    scrollPaddingStart: HEAD_REM * rem,
    getItemKey: (index) => lines[index]?.name ?? index,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rem]);
  const onKeyDown = useKeys(props, columns, (row) => virtualizer.scrollToIndex(row));
  const template = `minmax(${NAME_REM}rem, 1fr) repeat(${columns}, ${CELL_REM}rem)`;
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={cellsText.grid}
      aria-describedby={`${id}-keys`}
      aria-rowcount={lines.length + 2}
      aria-colcount={columns + 1}
      aria-activedescendant={marked === null ? undefined : `${id}-${marked.row}-${marked.column}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <span id={`${id}-keys`} hidden>
        {cellsText.keys}
      </span>
      <div className={styles.inner} style={{ minWidth: `${NAME_REM + columns * CELL_REM}rem` }}>
        <GridHeads report={report} template={template} />
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
            const line = lines[index];
            return (
              line !== undefined && (
                <LineRow
                  key={key}
                  {...{ id, line, index, template, report, asked: props.asked }}
                  column={marked?.row === index ? marked.column : null}
                  style={{
                    height: size,
                    transform: `translateY(${start - HEAD_REM * rem}px)`,
                  }}
                  onPress={(column) => props.onMark({ row: index, column })}
                  onOpen={props.onOpen}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function useKeys(
  { lines, marked, onMark, onOpen }: CellGridProps,
  columns: number,
  scrollTo: (row: number) => void,
) {
  return (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.metaKey || event.altKey || event.shiftKey) return;
    const page = Math.floor(event.currentTarget.clientHeight / (ROW_REM * rootFontPx()));
    const size = { rows: lines.length, columns, page };
    const pressed = { key: event.key, ctrl: event.ctrlKey };
    // The first key marks the first cell.
    const from = marked ?? { row: 0, column: 0 };
    const next = positionAfterKey(pressed, from, size);
    const cell = marked === null ? null : lines[marked.row]?.cells[marked.column];
    if (next !== null) {
      const to = marked === null ? from : next;
      onMark(to);
      scrollTo(to.row);
    } else if (event.key === 'Enter' && cell !== null && cell !== undefined) {
      onOpen(cell);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
