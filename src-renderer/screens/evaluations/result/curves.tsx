import { useState } from 'react';
import type { EntryReportRow } from '../../../../src-main/contract/index.ts';
import { Button } from '../../../components/button.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { formatCount, formatTokens } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import { visibleLine } from '../../../visible.ts';
import { formatPercent } from '../figures.ts';
import { costTicks, stairs } from './curve-path.ts';
import styles from './curves.module.css';

const KINDS = ['steps', 'tokens', 'minutes'] as const;
type Kind = (typeof KINDS)[number];

const FORMATS: Record<Kind, (value: number) => string> = {
  steps: formatCount,
  tokens: formatTokens,
  minutes: (value) =>
    value < 10 ? String(Math.round(value * 10) / 10) : formatCount(Math.round(value)),
};

/** What share is solved if no attempt may cost more: the price of a score. */
export function Curves({ entries }: { entries: readonly EntryReportRow[] }) {
  const [asTable, setAsTable] = useState(false);
  const { result: words } = runText;
  if (!entries.some(({ curves }) => curves.steps.length > 0)) return <p>{words.curveFlat}</p>;
  return (
    <>
      <div className={styles.head}>
        <ul className={styles.legend}>
          {entries.map(({ entry }, index) => (
            <li key={entry.label}>
              <svg className={styles.swatch} viewBox="0 0 24 4" aria-hidden="true">
                <path d="M0 2h24" className={styles.line} {...lookOf(index)} />
              </svg>
              {visibleLine(entry.label)}
            </li>
          ))}
        </ul>
        <Button small variant="quiet" icon="chart" onPress={() => setAsTable(!asTable)}>
          {asTable ? words.asPicture : words.asTable}
        </Button>
      </div>
      <div className={styles.curves}>
        {KINDS.map((kind) =>
          asTable ? (
            <Figures key={kind} kind={kind} entries={entries} />
          ) : (
            <Picture key={kind} kind={kind} entries={entries} />
          ),
        )}
      </div>
    </>
  );
}

interface CurveProps {
  kind: Kind;
  entries: readonly EntryReportRow[];
}

function Picture({ kind, entries }: CurveProps) {
  const most = Math.max(
    ...entries.flatMap(({ curves }) => curves[kind].map(({ cost }) => cost)),
    0,
  );
  const ticks = costTicks(most);
  const end = ticks.at(-1) ?? 1;
  const top = topOf(entries, kind);
  return (
    <figure className={styles.curve} aria-label={runText.result.curveNames[kind]}>
      <figcaption>{runText.result.curveNames[kind]}</figcaption>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.top}>{formatPercent(top)}</span>
        <span className={styles.zero}>{formatPercent(0)}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {[25, 50, 75].map((y) => (
            <path key={y} className={styles.grid} d={`M0 ${y}H100`} />
          ))}
          {entries.map(({ entry, curves }, index) => (
            <path
              key={entry.label}
              className={styles.line}
              d={stairs(curves[kind], end, top)}
              {...lookOf(index)}
            />
          ))}
        </svg>
        <div className={styles.ticks}>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: `${(tick / end) * 100}%` }}>
              {FORMATS[kind](tick)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

/** The axis ends a little above the best score: a low one is seen, too. */
function topOf(entries: readonly EntryReportRow[], kind: Kind): number {
  const best = Math.max(...entries.map(({ curves }) => curves[kind].at(-1)?.solved ?? 0));
  return Math.min(1, Math.max(0.1, Math.ceil(best * 10) / 10));
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** What it takes for shares of all that is solved at all. */
function Figures({ kind, entries }: CurveProps) {
  const { result: words } = runText;
  return (
    <DataTable
      caption={words.curveNames[kind]}
      rows={SHARES}
      keyOf={String}
      columns={[
        {
          ...{ id: 'share', header: words.solved },
          render: (share) => entries.map(({ curves }) => solvedAt(curves[kind], share)).join(', '),
        },
        ...entries.map(({ entry, curves }) => ({
          ...{ id: entry.label, header: visibleLine(entry.label), align: 'end' as const },
          render: (share: number) => {
            const point = pointAt(curves[kind], share);
            return point === undefined ? '' : FORMATS[kind](point.cost);
          },
        })),
      ]}
    />
  );
}

type Points = EntryReportRow['curves'][Kind];

function pointAt(points: Points, share: number): Points[number] | undefined {
  return points[Math.max(0, Math.ceil(points.length * share) - 1)];
}

function solvedAt(points: Points, share: number): string {
  return formatPercent(pointAt(points, share)?.solved ?? 0);
}

/** A dash tells lines apart where colour does not. */
function lookOf(index: number) {
  const dashes = ['', '6 3', '2 2', '8 3 2 3', '1 3'];
  const dash = dashes[index % dashes.length] ?? '';
  return {
    style: { stroke: `var(--chart-${(index % 5) + 1})` },
    ...(dash === '' ? {} : { strokeDasharray: dash }),
  };
}
