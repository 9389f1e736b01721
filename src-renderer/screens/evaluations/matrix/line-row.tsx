import type { CSSProperties } from 'react';
import type { RunReport } from '../../../../src-main/contract/index.ts';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import type { CellsAsked } from '../../../navigation.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import { runText } from '../../../text/en/run.ts';
import { statesText } from '../../../text/en/states.ts';
import { visibleLine } from '../../../visible.ts';
import {
  type Cell,
  type CellMark,
  hasMark,
  isAsked,
  stateOfCell,
  type TaskLine,
} from '../cells.ts';
import styles from './matrix.module.css';

export interface LineRowProps {
  /** Of the table: ids of its cells begin with it. */
  id: string;
  line: TaskLine;
  index: number;
  template: string;
  report: RunReport;
  asked: CellsAsked;
  /** The marked cell, where it is in this row. */
  column: number | null;
  style: CSSProperties;
  onPress: (column: number) => void;
  onOpen: (cell: Cell) => void;
}

/** One task with all of its attempts. */
export function LineRow({ id, line, index, template, report, style, ...props }: LineRowProps) {
  const { seeds } = report;
  return (
    <div
      role="row"
      aria-rowindex={index + 3}
      className={styles.row}
      style={{ ...style, gridTemplateColumns: template }}
    >
      <div role="rowheader" className={styles.name} title={visibleLine(line.name)}>
        {visibleLine(line.name)}
      </div>
      {line.cells.map((cell, column) => {
        const label = report.entries[Math.floor(column / seeds.length)]?.entry.label ?? '';
        const seed = seeds[column % seeds.length] ?? 0;
        const words = wordsOf(cell, line);
        return (
          // Its keys are the table's: the cell is the active descendant, it never has the focus.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={`${label} ${seed}`}
            id={`${id}-${index}-${column}`}
            role="gridcell"
            aria-selected={props.column === column}
            aria-label={cellsText.label(visibleLine(line.name), visibleLine(label), seed, words)}
            title={words}
            className={styles.cell}
            data-first={column % seeds.length === 0 || undefined}
            onClick={() => props.onPress(column)}
            onDoubleClick={() => {
              if (cell !== null) props.onOpen(cell);
            }}
          >
            <Inside cell={cell} line={line} isAsked={isAsked(cell, line, props.asked)} />
          </div>
        );
      })}
    </div>
  );
}

const ICONS: Array<[mark: CellMark, icon: IconName]> = [
  ['suspect', 'flag'],
  ['premature', 'clock'],
  ['labelled', 'note'],
  ['retried', 'retry'],
];

/** The shape and its word; those that are not asked for keep the shape alone. */
function Inside(props: { cell: Cell | null; line: TaskLine; isAsked: boolean }) {
  const { cell, line } = props;
  const state = stateOfCell(cell);
  return (
    <>
      <StateMark kind="cell" state={state} shapeOnly={!props.isAsked} quiet />
      {cell !== null &&
        ICONS.map(
          ([mark, icon]) =>
            hasMark(cell, line, mark) && (
              <Icon key={mark} name={icon} className={styles.icon ?? ''} />
            ),
        )}
    </>
  );
}

/** All that a cell tells, for those who do not see its signs. */
function wordsOf(cell: Cell | null, line: TaskLine): string {
  const state = statesText.cell[stateOfCell(cell)];
  if (cell === null) return state;
  const marks = ICONS.filter(([mark]) => hasMark(cell, line, mark)).map(
    ([mark]) => cellsText.marks[mark],
  );
  return [
    state,
    ...(cell.ending === null ? [] : [runText.failures.endings[cell.ending]]),
    cellsText.steps(cell.steps),
    ...marks,
    ...(cell.label === null ? [] : [visibleLine(cell.label)]),
  ].join(', ');
}
