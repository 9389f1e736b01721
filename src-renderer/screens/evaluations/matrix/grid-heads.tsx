import type { RunReport } from '../../../../src-main/contract/index.ts';
import { cellsText } from '../../../text/en/run-cells.ts';
import { visibleLine } from '../../../visible.ts';
import styles from './matrix.module.css';

/** Two heading rows: entries, and the seeds of each. */
export function GridHeads({ report, template }: { report: RunReport; template: string }) {
  const { entries, seeds } = report;
  return (
    <div role="rowgroup" className={styles.heads}>
      <div
        role="row"
        aria-rowindex={1}
        className={styles.headRow}
        style={{ gridTemplateColumns: template }}
      >
        <div role="columnheader" className={styles.corner}>
          {cellsText.entry}
        </div>
        {entries.map(({ entry }) => (
          <div
            key={entry.label}
            role="columnheader"
            aria-colspan={seeds.length}
            className={styles.entry}
            style={{ gridColumn: `span ${seeds.length}` }}
            title={visibleLine(entry.label)}
          >
            {visibleLine(entry.label)}
          </div>
        ))}
      </div>
      <div
        role="row"
        aria-rowindex={2}
        className={styles.headRow}
        style={{ gridTemplateColumns: template }}
      >
        <div role="columnheader" className={styles.corner}>
          {cellsText.task}
        </div>
        {entries.flatMap(({ entry }) =>
          seeds.map((seed, at) => (
            <div
              key={`${entry.label} ${seed}`}
              role="columnheader"
              className={styles.seed}
              data-first={at === 0 || undefined}
            >
              {cellsText.seed(seed)}
            </div>
          )),
        )}
      </div>
    </div>
  );
}
