import type { ComparisonRow, OutputOf, RunReport } from '../../../../src-main/contract/index.ts';
import { useCall } from '../../../api/hooks.ts';
import { Banner, ErrorNote, Loading } from '../../../components/notes.tsx';
import { Section } from '../../../components/page.tsx';
import { Select } from '../../../components/select.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatAge } from '../../../format.ts';
import { useNow } from '../../../components/figures.tsx';
import { useServices } from '../../../services.ts';
import { runText } from '../../../text/en/run.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../evaluations.module.css';
import type { RunPlace } from '../run-place.ts';
import { Comparison } from './comparison.tsx';

const OWN = '';
const MINUTE_MS = 60_000;

/** The entries of the run against each other, or against those of another run of the same tasks. */
export function CompareTab({ place, report }: { place: RunPlace; report: RunReport }) {
  const { compare: words } = runText;
  const { navigate } = useServices();
  const now = useNow(MINUTE_MS);
  const runs = useCall('evaluation/runs', {});
  const others = (runs.data ?? []).filter(({ runId }) => runId !== report.summary.runId);
  const chosen = place.with ?? OWN;
  const choose = (id: string) => {
    const { with: _, ...rest } = place;
    navigate({ ...rest, ...(id === OWN ? {} : { with: id }) }, { replace: true });
  };
  return (
    <div className={styles.scroll}>
      <div className={styles.choose}>
        <Select
          label={words.with}
          value={chosen}
          onChange={choose}
          options={[
            { id: OWN, label: words.within },
            ...others.map(({ runId, name, createdAt, entries }) => ({
              id: runId,
              label: words.option(visibleLine(name), formatAge(createdAt, now)),
              detail: entries.map(visibleLine).join(', '),
            })),
          ]}
        />
      </div>
      {place.with === undefined ? (
        <Comparisons run={place.run} comparisons={report.comparisons} />
      ) : (
        <WithOther run={place.run} other={place.with} />
      )}
    </div>
  );
}

function WithOther({ run, other }: { run: string; other: string }) {
  const { data, error, refetch } = useCall('evaluation/compare', { run, with: other });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading>{runText.compare.loading}</Loading>;
  return (
    <>
      <Differences differences={data.differences} />
      <Comparisons run={run} comparisons={data.comparisons} />
    </>
  );
}

function Differences({ differences }: Pick<OutputOf<'evaluation/compare'>, 'differences'>) {
  if (differences.length === 0) return null;
  return (
    <Banner tone="warn">
      <p>
        <b>{runText.compare.differences}</b>
      </p>
      <ul>
        {differences.map((one) => (
          <li key={one}>
            <VisibleText text={one} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function Comparisons(props: { run: string; comparisons: readonly ComparisonRow[] }) {
  const { compare: words } = runText;
  if (props.comparisons.length === 0) return <p className={styles.words}>{words.none}</p>;
  return props.comparisons.map((one) => (
    <Section key={`${one.a} ${one.b}`} title={words.versus(visibleLine(one.a), visibleLine(one.b))}>
      <Comparison run={props.run} comparison={one} />
    </Section>
  ));
}
