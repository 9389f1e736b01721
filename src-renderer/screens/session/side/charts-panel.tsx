import { useMemo } from 'react';
import { TimeChart } from '../../../components/chart/time-chart.tsx';
import type { TimeChartProps } from '../../../components/chart/types.ts';
import { EmptyState } from '../../../components/notes.tsx';
import { formatDuration, formatSize, formatTokens } from '../../../format.ts';
import { sessionText } from '../../../text/en/session.ts';
import { useSessionView } from '../session-view.ts';
import { useShared } from '../shared-value.ts';
import styles from './side.module.css';
import { useSeries } from './use-series.ts';

/** Figures of the attempt on one time axis; the step under the pointer has a line in all of them. */
export default function ChartsPanel() {
  const { got, hovered } = useSessionView();
  const series = useSeries();
  const step = useShared(hovered);
  const { charts: words } = sessionText;
  const shared = useMemo(() => {
    if (series?.range == null) return null;
    const marks = series.times.flatMap((at, index) =>
      series.steps[index] === step ? [{ at, label: words.step(step ?? 0) }] : [],
    );
    const range = series.range;
    return { range, zero: range[0], sync: 'session', marks } satisfies Partial<TimeChartProps>;
  }, [series, step, words]);
  if (series === null || shared === null) {
    return (
      <EmptyState icon="chart" title={words.none}>
        {words.noneWords}
      </EmptyState>
    );
  }
  const { memory, tokens, seconds, times } = series;
  return (
    <div className={styles.panel}>
      <TimeChart
        {...shared}
        title={words.memory}
        ticks="binary"
        times={memory.times}
        format={formatSize}
        series={[
          { id: 'server', label: words.server, values: memory.model, colour: 1, kind: 'area' },
          { id: 'work', label: words.workspace, values: memory.workspace, colour: 2, dashed: true },
        ]}
      />
      <TimeChart
        {...shared}
        title={words.context}
        times={times}
        format={formatTokens}
        {...(got.contextTokens !== null && {
          limit: { value: got.contextTokens, label: words.window },
        })}
        series={[
          { id: 'used', label: words.used, values: series.context, colour: 1, kind: 'area' },
        ]}
      />
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
      <TimeChart
        {...shared}
        title={words.time}
        times={times}
        format={(value) => formatDuration(value === null ? null : value * 1000)}
        series={[
          { id: 'model', label: words.model, values: seconds.model, colour: 1, kind: 'area' },
          { id: 'tools', label: words.tools, values: seconds.tools, colour: 2 },
          { id: 'own', label: words.own, values: seconds.own, colour: 3, dashed: true },
        ]}
      />
    </div>
  );
}
