import { TimeChart } from '../../../components/chart/time-chart.tsx';
import type { ChartSeries, TimeChartProps } from '../../../components/chart/types.ts';
import { formatCount, formatDuration, formatShare, formatSize } from '../../../format.ts';
import { measuresText as text } from '../../../text/en/model-server.ts';
import { hasAny, type Measures } from './series.ts';
import styles from './measures.module.css';

const SYNC = 'model measures';
const HEIGHT_REM = 8.5;

export interface ChartsProps {
  measures: Measures;
  range: readonly [number, number];
  /** `null` = no plan is known. */
  estimateBytes: number | null;
}

/** Charts on one axis of time; those of which nothing can be measured here are left out. */
export function Charts({ measures, range, estimateBytes }: ChartsProps) {
  const estimate =
    estimateBytes === null ? {} : { limit: { value: estimateBytes, label: text.estimate } };
  const charts: Chart[] = [
    {
      ...{ title: text.memory, format: formatSize, ticks: 'binary' as const },
      ...{ series: memorySeries(measures), ...estimate },
    },
    ...workCharts(measures),
    ...(hasAny(measures.firstToken)
      ? [
          {
            ...{ title: text.firstToken, format: formatDuration },
            series: [line('first', text.firstTokenSeries, measures.firstToken, 4)],
          },
        ]
      : []),
    ...(hasAny(measures.utilization)
      ? [
          {
            ...{ title: text.gpuUse, format: formatShare, max: 1 },
            series: [{ ...line('gpu', text.gpu, measures.utilization, 1), kind: 'area' as const }],
          },
        ]
      : []),
  ];
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <div key={chart.title} className={styles.chart}>
          <TimeChart
            {...chart}
            {...{ times: measures.times, range, sync: SYNC, heightRem: HEIGHT_REM }}
          />
        </div>
      ))}
    </div>
  );
}

type Chart = Pick<TimeChartProps, 'title' | 'format' | 'series' | 'max' | 'limit' | 'ticks'>;

function workCharts({ promptRate, generatedRate, kv, hits, running, waiting }: Measures): Chart[] {
  return [
    {
      ...{ title: text.rate, format: formatRate },
      series: [
        line('prompt', text.prompt, promptRate, 2),
        { ...line('generated', text.generated, generatedRate, 1), dashed: true },
      ],
    },
    {
      ...{ title: text.cache, format: formatShare, max: 1 },
      series: [
        { ...line('kv', text.kv, kv, 2), kind: 'area' },
        { ...line('hits', text.hits, hits, 1), dashed: true },
      ],
    },
    {
      ...{ title: text.requests, format: formatWhole },
      series: [
        { ...line('running', text.runningRequests, running, 1), kind: 'step' },
        { ...line('waiting', text.waitingRequests, waiting, 3), kind: 'step', dashed: true },
      ],
    },
  ];
}

function memorySeries({ memory, gpu }: Measures): ChartSeries[] {
  const machine: ChartSeries = { ...line('machine', text.machine, memory, 1), kind: 'area' };
  if (!hasAny(gpu)) return [machine];
  return [machine, { ...line('gpu', text.gpu, gpu, 2), dashed: true }];
}

function line(
  id: string,
  label: string,
  values: ReadonlyArray<number | null>,
  colour: ChartSeries['colour'],
): ChartSeries {
  return { id, label, values, colour };
}

function formatRate(value: number | null): string {
  if (value === null) return formatCount(null);
  return text.perSecond(
    value >= 9.95 || value === 0 ? formatCount(Math.round(value)) : value.toFixed(1),
  );
}

/** Ticks between whole numbers say nothing. */
function formatWhole(value: number | null): string {
  if (value === null) return formatCount(null);
  return Number.isInteger(value) ? formatCount(value) : '';
}
