import { useState } from 'react';
import { formatDuration, formatMoment } from '../../format.ts';
import { componentsText } from '../../text/en/components.ts';
import { Button } from '../button.tsx';
import { late } from '../late.tsx';
import { DataTable } from '../list/data-table.tsx';
import { Loading } from '../notes.tsx';
import styles from './time-chart.module.css';
import type { TimeChartProps } from './types.ts';

const Plot = late(async () => (await import('./plot.tsx')).default);

/** Rows of the table at most: it is read, not scrolled for hours. */
const MOST_ROWS = 200;

/** Figures over time: a picture, or the same as a table. */
export function TimeChart(props: TimeChartProps) {
  const [asTable, setAsTable] = useState(false);
  const empty = props.times.length === 0;
  return (
    <figure className={styles.chart} aria-label={props.title}>
      <figcaption className={styles.head}>
        <span className={styles.title}>{props.title}</span>
        <Legend {...props} />
        <Button
          small
          variant="quiet"
          icon="chart"
          isDisabled={empty}
          onPress={() => setAsTable(!asTable)}
        >
          {asTable ? componentsText.chartPicture : componentsText.chartTable}
        </Button>
      </figcaption>
      {empty ? (
        <p className={styles.empty}>{componentsText.chartEmpty}</p>
      ) : asTable ? (
        <Figures {...props} />
      ) : (
        <Plot {...props} waiting={<Loading>{componentsText.chartLoading}</Loading>} />
      )}
    </figure>
  );
}

/** Names of the lines with their newest figures, in the colours of the chart. */
function Legend({ series, format, limit }: TimeChartProps) {
  return (
    <ul className={styles.legend}>
      {series.map(({ id, label, values, colour, dashed }) => (
        <li key={id}>
          <svg className={styles.swatch} viewBox="0 0 16 4" aria-hidden="true">
            <path
              d="M0 2h16"
              style={{ stroke: `var(--chart-${colour})` }}
              {...(dashed === true ? { strokeDasharray: '4 3' } : {})}
            />
          </svg>
          {label}{' '}
          <span className="numbers">
            {format(values.findLast((value) => value !== null) ?? null)}
          </span>
        </li>
      ))}
      {limit !== undefined && (
        <li>
          {limit.label} <span className="numbers">{format(limit.value)}</span>
        </li>
      )}
    </ul>
  );
}

function Figures({ title, times, series, format, zero }: TimeChartProps) {
  const every = Math.ceil(times.length / MOST_ROWS);
  const rows = times.flatMap((at, index) => (index % every === 0 ? [{ at, index }] : []));
  return (
    <div className={styles.table}>
      <DataTable
        caption={title}
        hideCaption
        rows={rows}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            id: 'time',
            header: componentsText.time,
            render: ({ at }) => (zero === undefined ? formatMoment(at) : formatDuration(at - zero)),
          },
          ...series.map(({ id, label, values }) => ({
            id,
            header: label,
            align: 'end' as const,
            render: ({ index }: { index: number }) => format(values[index] ?? null),
          })),
        ]}
      />
    </div>
  );
}
