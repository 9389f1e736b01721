import { useState } from 'react';
import { formatDuration, formatMoment } from '../../format.ts';
import { componentsText } from '../../text/en/components.ts';
import { Button } from '../button.tsx';
import { late } from '../late.tsx';
import { DataTable } from '../list/data-table.tsx';
import { Loading } from '../notes.tsx';
import { placeAt, spanAt } from './axis.ts';
import styles from './time-chart.module.css';
import type { ChartSpan, TimeChartProps } from './types.ts';

const Plot = late(async () => (await import('./plot.tsx')).default);

/** Rows of the table at most: it is read, not scrolled for hours. */
const MOST_ROWS = 200;

/** Figures over time: a picture, or the same as a table. */
export function TimeChart(props: TimeChartProps) {
  const [asTable, setAsTable] = useState(false);
  const empty = !props.series.some(({ values }) => values.some((value) => value !== null));
  return (
    <figure className={styles.chart} aria-label={props.title}>
      <figcaption className={styles.head}>
        <span className={styles.title}>{props.title}</span>
        <Button
          small
          variant="quiet"
          icon="chart"
          isDisabled={empty}
          onPress={() => setAsTable(!asTable)}
        >
          {asTable ? componentsText.chartPicture : componentsText.chartTable}
        </Button>
        <Legend {...props} />
      </figcaption>
      {empty ? (
        <p className={styles.empty}>{componentsText.chartEmpty}</p>
      ) : asTable ? (
        <Figures {...props} />
      ) : (
        (props.picture ?? <Canvas {...props} />)
      )}
    </figure>
  );
}

function Canvas(props: TimeChartProps) {
  return <Plot {...props} waiting={<Loading>{componentsText.chartLoading}</Loading>} />;
}

/** Names of the lines in the colours of the chart, with their figures where one points, else the newest. */
function Legend({ series, format, limit, times, shown = null, nameOf }: TimeChartProps) {
  const place = shown === null ? -1 : placeAt(times, shown.to);
  return (
    <ul className={styles.legend}>
      {shown !== null && nameOf !== undefined && <li className={styles.shown}>{nameOf(shown)}</li>}
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
            {format(
              shown === null
                ? (values.findLast((value) => value !== null) ?? null)
                : (values[place] ?? null),
            )}
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

function Figures({ title, times, series, format, zero, spans, nameOf }: TimeChartProps) {
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
          ...(spans === undefined || nameOf === undefined
            ? []
            : [
                {
                  id: 'span',
                  header: componentsText.chartSpan,
                  render: ({ at }: { at: number }) => nameAt(spans, nameOf, at),
                },
              ]),
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

function nameAt(
  spans: readonly ChartSpan[],
  nameOf: (span: ChartSpan) => string,
  at: number,
): string | null {
  const span = spanAt(spans, at);
  return span === null ? null : nameOf(span);
}
