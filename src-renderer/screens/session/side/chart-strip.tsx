import { memo } from 'react';
import { Bars, Sparkline } from '../../../components/chart/sparkline.tsx';
import { formatPlace } from '../../../navigation.ts';
import { formatShare, formatSize, formatTokens } from '../../../format.ts';
import { sessionText } from '../../../text/en/session.ts';
import { unitsText } from '../../../text/en/units.ts';
import type { AttemptSeries } from '../record/series.ts';
import { useSessionView } from '../session-view.ts';
import { useShared } from '../shared-value.ts';
import styles from './side.module.css';
import { useSeries } from './use-series.ts';

/** The charts in short below the other tabs. */
export function ChartStrip() {
  return <Strip series={useSeries()} />;
}

const Strip = memo(function Strip({ series }: { series: AttemptSeries | null }) {
  const { got, place } = useSessionView();
  const { charts: words } = sessionText;
  if (series === null || series.times.length === 0) return null;
  const { memory, seconds, context } = series;
  const totals = [seconds.model, seconds.tools, seconds.own].map(sum);
  const share = (totals[0] ?? 0) / Math.max(Number.MIN_VALUE, sum(totals));
  const modelSize = newest(memory.model);
  const workSize = newest(memory.workspace);
  const used = newest(context);
  return (
    <section className={styles.strip} aria-label={words.strip}>
      {modelSize !== null && (
        <Row name={words.memoryModel} figure={formatSize(modelSize)}>
          <Sparkline
            values={memory.model}
            label={words.trend(words.memoryModel, formatSize(modelSize))}
          />
        </Row>
      )}
      {workSize !== null && (
        <Row name={words.memoryWorkspace} figure={formatSize(workSize)}>
          <Sparkline
            values={memory.workspace}
            colour={2}
            label={words.trend(words.memoryWorkspace, formatSize(workSize))}
          />
        </Row>
      )}
      {used !== null && (
        <Row
          name={words.context}
          figure={
            got.contextTokens === null
              ? formatTokens(used)
              : unitsText.of(formatTokens(used), formatTokens(got.contextTokens))
          }
        >
          <Sparkline
            values={context}
            {...(got.contextTokens !== null && { max: got.contextTokens })}
            label={words.trend(words.context, formatTokens(used))}
          />
        </Row>
      )}
      <Row name={words.time} figure={words.modelShare(formatShare(share))}>
        <Bars
          bars={barsOf(seconds)}
          colours={[1, 2, 3]}
          label={words.trend(words.time, words.modelShare(formatShare(share)))}
        />
        <HoveredStep steps={series.spans.map(({ id }) => id)} />
      </Row>
      <a className={styles.stripLink} href={formatPlace({ ...place, tab: 'charts' })}>
        {words.all}
      </a>
    </section>
  );
});

function Row(props: { name: string; figure: string; children: React.ReactNode }) {
  return (
    <div className={styles.stripRow}>
      <span>{props.name}</span>
      <div className={styles.stripChart}>{props.children}</div>
      <span className="numbers">{props.figure}</span>
    </div>
  );
}

/** A frame around the bar of the step under the pointer. */
function HoveredStep({ steps }: { steps: number[] }) {
  const step = useShared(useSessionView().hovered);
  const index = step === null ? -1 : steps.indexOf(step);
  if (index === -1) return null;
  const width = 100 / steps.length;
  return (
    <span
      className={styles.stripMark}
      style={{ left: `${index * width}%`, width: `${width}%` }}
      aria-hidden="true"
    />
  );
}

export function barsOf({ model, tools, own }: AttemptSeries['seconds']): number[][] {
  return model.map((seconds, index) => [seconds, tools[index] ?? 0, own[index] ?? 0]);
}

export function newest(values: ReadonlyArray<number | null>): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
