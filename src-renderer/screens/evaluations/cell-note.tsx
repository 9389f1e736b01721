import type { StoredEvent } from '../../../src-main/contract/index.ts';
import { useCall } from '../../api/hooks.ts';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { cellsText } from '../../text/en/run-cells.ts';
import styles from './cell-note.module.css';
import { stateOfCell } from './cells.ts';
import { GradingFacts } from './grading-facts.tsx';
import { cellsHref } from './run-place.ts';

/** A verdict may come minutes after the attempt has ended. */
const LOOK_EVERY_MS = 3_000;

/** Whether the record is that of a cell of a run. */
export function isCellRecord(events: readonly StoredEvent[]): boolean {
  return events.some(({ body }) => body.type === 'session.created' && body.cell !== undefined);
}

function useCell(session: string) {
  const first = useCall('evaluation/cell', { session });
  const waits = first.data?.cell.state === 'running';
  useCall('evaluation/cell', { session }, { everyMs: LOOK_EVERY_MS, enabled: waits });
  return first.data ?? null;
}

/** In a session that is a cell: its run, its place there, and what the tests said of it. */
export function CellNote({ session }: { session: string }) {
  const { note: words } = cellsText;
  const got = useCell(session);
  if (got === null) return null;
  const { run, entry, cell } = got;
  const { state, outcome, grading } = cell;
  return (
    <aside className={styles.note} aria-label={words.landmark}>
      <StateMark kind="cell" state={stateOfCell({ state, outcome })} />
      <a href={cellsHref(run.runId, { text: cell.task })}>
        <VisibleText text={words.part(run.name)} />
      </a>
      <span className={styles.soft}>
        <VisibleText text={words.place(cell.task, entry, cell.seed)} />
      </span>
      {grading !== null && (
        <span className={styles.soft}>
          <VisibleText text={grading.summary} />
        </span>
      )}
    </aside>
  );
}

/** What the tests said of a cell, test by test. */
export function CellGrading({ session }: { session: string }) {
  const got = useCell(session);
  return (
    <div className={styles.grading}>
      <GradingFacts grading={got?.cell.grading ?? null} />
    </div>
  );
}
