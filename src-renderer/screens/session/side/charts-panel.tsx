import { memo, useMemo } from 'react';
import { TimeChart } from '../../../components/chart/time-chart.tsx';
import type { ChartSeries, ChartSpan, TimeChartProps } from '../../../components/chart/types.ts';
import { EmptyState } from '../../../components/notes.tsx';
import { formatDuration, formatSize, formatTokens } from '../../../format.ts';
import { useMoveInSession } from '../../../services.ts';
import { sessionText } from '../../../text/en/session.ts';
import type { AttemptSeries } from '../record/series.ts';
import { useSessionView } from '../session-view.ts';
import { useShared } from '../shared-value.ts';
import styles from './side.module.css';
import { StepLane } from './step-lane.tsx';
import { useSeries } from './use-series.ts';

const { charts: words } = sessionText;

export default function ChartsPanel() {
  return <Charts series={useSeries()} />;
}

/** Figures of the attempt on one time axis; the step that is pointed at has a band in all of them. */
const Charts = memo(function Charts({ series }: { series: AttemptSeries | null }) {
  const { got, hovered } = useSessionView();
  const move = useMoveInSession();
  const step = useShared(hovered);
  const shared = useMemo(() => {
    if (series === null || series.range === null) return null;
    const { range, spans } = series;
    return {
      ...{ range, spans, zero: range[0], sync: 'session' },
      shown: spans.find(({ id }) => id === step) ?? null,
      nameOf: ({ id }: ChartSpan) => words.step(id),
      onPoint: (span: ChartSpan | null) => hovered.set(span?.id ?? null),
      onPress: ({ id }: ChartSpan) => move({ step: id }),
    };
  }, [series, step, hovered, move]);
  if (series === null || shared === null) {
    return (
      <EmptyState icon="chart" title={words.none}>
        {words.noneWords}
      </EmptyState>
    );
  }
  const window = got.contextTokens;
  return (
    <div className={styles.panel}>
      <Time series={series} shared={shared} />
      <Memory series={series} shared={shared} />
      <TimeChart
        {...shared}
        title={words.context}
        times={series.times}
        format={formatTokens}
        {...(window !== null && { limit: { value: window, label: words.window } })}
        series={[
          { id: 'used', label: words.used, values: series.context, colour: 1, kind: 'area' },
        ]}
      />
      <Tokens series={series} shared={shared} />
    </div>
  );
});

interface ChartProps {
  series: AttemptSeries;
  /** Axis, marks and pointer that all charts have in common. */
  shared: Required<
    Pick<
      TimeChartProps,
      'range' | 'zero' | 'sync' | 'spans' | 'shown' | 'nameOf' | 'onPoint' | 'onPress'
    >
  >;
}

function Memory({ series: { memory }, shared }: ChartProps) {
  const server: ChartSeries = {
    ...{ id: 'server', label: words.server, values: memory.model, colour: 1, kind: 'area' },
  };
  const work: ChartSeries = {
    ...{ id: 'work', label: words.workspace, values: memory.workspace, colour: 2, dashed: true },
  };
  const app: ChartSeries = { id: 'app', label: words.app, values: memory.app, colour: 5 };
  // A model elsewhere, or a scripted one, has no memory here that could be measured.
  const lines = [server, work, app].filter(({ values }) => values.some((bytes) => bytes !== null));
  return (
    <TimeChart
      {...shared}
      title={words.memory}
      ticks="binary"
      times={memory.times}
      format={formatSize}
      series={lines.length === 0 ? [work] : lines}
    />
  );
}

function Tokens({ series: { times, tokens }, shared }: ChartProps) {
  return (
    <TimeChart
      {...shared}
      title={words.tokens}
      times={times}
      format={formatTokens}
      series={[
        { id: 'prompt', label: words.prompt, values: tokens.prompt, colour: 5, kind: 'area' },
        { id: 'cached', label: words.cached, values: tokens.cached, colour: 1 },
        { id: 'fresh', label: words.fresh, values: tokens.fresh, colour: 3, dashed: true },
      ]}
    />
  );
}

function Time({ series, shared }: ChartProps) {
  const { times, seconds } = series;
  return (
    <TimeChart
      {...shared}
      title={words.time}
      times={times}
      format={(value) => formatDuration(value === null ? null : value * 1000)}
      series={[
        { id: 'model', label: words.model, values: seconds.model, colour: 1, kind: 'area' },
        { id: 'tools', label: words.tools, values: seconds.tools, colour: 2 },
        { id: 'own', label: words.own, values: seconds.own, colour: 3 },
      ]}
      picture={<StepLane series={series} {...shared} />}
    />
  );
}
