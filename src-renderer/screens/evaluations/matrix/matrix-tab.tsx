import { useMemo, useRef, useState } from 'react';
import type { RunReport } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/notes.tsx';
import { SplitPane } from '../../../components/split-pane.tsx';
import { type CellsAsked, sessionPlace } from '../../../navigation.ts';
import { useServices } from '../../../services.ts';
import { useActionKey } from '../../../shortcuts/use-action-key.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import { type Cell, linesAsked, stepToOpen, taskLines, type TaskLine } from '../cells.ts';
import type { CellPosition } from '../matrix-keys.ts';
import type { RunPlace } from '../run-place.ts';
import { CellFilters } from './cell-filters.tsx';
import { CellGrid } from './cell-grid.tsx';
import { CellPanel } from './cell-panel.tsx';
import { LabelDialog } from './label-dialog.tsx';
import styles from './matrix.module.css';

export interface MatrixTabProps {
  place: RunPlace;
  report: RunReport;
  cells: readonly Cell[];
}

/** Task and column that were looked at last, so that the way back leads there; while the page lives. */
const remembered = new Map<string, { task: number; column: number }>();
const NOTHING: CellsAsked = {};

/** Every attempt of the run by task and seed, and what is known of the one that is marked. */
export function MatrixTab({ place, report, cells }: MatrixTabProps) {
  const { navigate } = useServices();
  const search = useRef<HTMLInputElement>(null);
  const asked = place.show ?? NOTHING;
  const { tasks, seeds, entries } = report;
  const lines = useMemo(
    () => taskLines({ tasks, seeds, entries }, cells),
    [tasks, seeds, entries, cells],
  );
  const shown = useMemo(() => linesAsked(lines, asked), [lines, asked]);
  const { at, cell, mark } = useMarked(place.run, shown);
  const [labelling, setLabelling] = useState<Cell | null>(null);
  const show = (next: CellsAsked) => {
    const { show: _, ...rest } = place;
    navigate(
      { ...rest, ...(Object.keys(next).length === 0 ? {} : { show: next }) },
      { replace: true },
    );
  };
  const open = (one: Cell) => navigate(sessionPlace(one.session, { step: stepToOpen(one) }));
  useActionKey('search.focus', () => search.current?.focus());
  useActionKey('cell.label', () => setLabelling(cell), cell !== null);
  return (
    <>
      <SplitPane
        name="matrix"
        sideRem={21}
        main={
          <div className={styles.main}>
            <CellFilters
              {...{ asked, lines, report, search }}
              shown={shown.length}
              onChange={show}
            />
            {shown.length === 0 ? (
              <EmptyState
                icon="search"
                title={cellsText.nothing.title}
                action={<Button onPress={() => show({})}>{cellsText.clear}</Button>}
              >
                {cellsText.nothing.words}
              </EmptyState>
            ) : (
              <CellGrid
                report={report}
                lines={shown}
                asked={asked}
                marked={at}
                onMark={mark}
                onOpen={open}
              />
            )}
          </div>
        }
        side={<CellPanel isMarked={at !== null} cell={cell} onLabel={() => setLabelling(cell)} />}
      />
      {labelling !== null && <LabelDialog cell={labelling} onClose={() => setLabelling(null)} />}
    </>
  );
}

/** The marked cell, which stays with its task while others come and go. */
function useMarked(run: string, shown: readonly TaskLine[]) {
  const [marked, setMarked] = useState(() => remembered.get(run) ?? null);
  const row = shown.findIndex(({ task }) => task === marked?.task);
  const at = marked === null || row === -1 ? null : { row, column: marked.column };
  return {
    at,
    cell: at === null ? null : (shown[row]?.cells[at.column] ?? null),
    mark({ row: wanted, column }: CellPosition) {
      const line = shown[wanted];
      if (line === undefined) return;
      const next = { task: line.task, column };
      remembered.set(run, next);
      setMarked(next);
    },
  };
}
