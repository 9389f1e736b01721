import { useState } from 'react';
import { useNow } from '../../../components/figures.tsx';
import { EmptyState, ErrorNote, Loading } from '../../../components/notes.tsx';
import { Select } from '../../../components/select.tsx';
import { measuresText } from '../../../text/en/model-server.ts';
import { isUp } from '../figures.ts';
import styles from '../models.module.css';
import type { ModelEntry } from '../use-models.ts';
import { Charts } from './charts.tsx';
import { measuresOf } from './series.ts';
import { useSamples } from './use-samples.ts';

const MINUTE_MS = 60_000;
const RANGES = {
  m5: 5 * MINUTE_MS,
  m30: 30 * MINUTE_MS,
  h3: 180 * MINUTE_MS,
  h24: 1440 * MINUTE_MS,
} as const;
type Range = keyof typeof RANGES;
const RANGE_IDS = Object.keys(RANGES) as Range[];

const remembered: { range: Range } = { range: 'm5' };

/** What a server took and did: the record of the time before, and each second as it comes. */
export function MeasuresTab({ entry }: { entry: ModelEntry }) {
  const [range, setRange] = useState<Range>(remembered.range);
  const choose = (chosen: Range) => {
    remembered.range = chosen;
    setRange(chosen);
  };
  return (
    <div className={styles.tab}>
      <div className={styles.row}>
        <Select
          label={measuresText.range}
          hideLabel
          value={range}
          onChange={choose}
          options={RANGE_IDS.map((id) => ({ id, label: measuresText.ranges[id] }))}
        />
      </div>
      <Measured key={range} entry={entry} spanMs={RANGES[range]} />
    </div>
  );
}

function Measured({ entry, spanMs }: { entry: ModelEntry; spanMs: number }) {
  const { model, status, sample } = entry;
  const { samples, isPending, error } = useSamples(model.name, sample, spanMs);
  const now = useNow(1_000);
  // A server that is down is looked at where it ended, not at the empty time since.
  const end = isUp(status) ? now : (samples.at(-1)?.at ?? now);
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      {isPending ? (
        <Loading>{measuresText.loading}</Loading>
      ) : samples.length === 0 ? (
        <EmptyState icon="chart" title={measuresText.empty}>
          {measuresText.emptyWords}
        </EmptyState>
      ) : (
        <Charts
          measures={measuresOf(samples)}
          range={[end - spanMs, end]}
          estimateBytes={status.plan?.estimate.totalBytes ?? null}
        />
      )}
    </>
  );
}
