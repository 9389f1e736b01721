import { REASON_WORDS } from '../reasons.ts';
import type { EntryReportRow, RunReport } from '../../../../src-main/contract/index.ts';
import { DataTable } from '../../../components/list/data-table.tsx';
import { Section } from '../../../components/page.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatCount } from '../../../format.ts';
import { runText } from '../../../text/en/run.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../evaluations.module.css';
import { cellsHref, type RunPlace } from '../run-place.ts';
import { FailureMatrix } from './failure-matrix.tsx';
import { Suspicions } from './suspicions.tsx';

/** Why attempts failed, on two axes, and what of the record asks for a second look. */
export function FailuresTab({ place, report }: { place: RunPlace; report: RunReport }) {
  const { failures: words } = runText;
  return (
    <div className={styles.scroll}>
      <Section title={words.matrix}>
        {report.entries.map((entry, index) => (
          <FailureMatrix key={entry.entry.label} run={place.run} entry={entry} index={index} />
        ))}
      </Section>
      {report.entries.some(({ infra }) => infra.length > 0) && (
        <Section title={words.infra}>
          <Infra run={place.run} entries={report.entries} />
        </Section>
      )}
      <Section title={words.premature}>
        <p className={styles.words}>{words.prematureWords}</p>
        <Premature run={place.run} entries={report.entries} />
      </Section>
      <Section title={words.suspicions}>
        <p className={styles.words}>{words.suspicionsWords}</p>
        <Suspicions report={report} />
      </Section>
      <Section title={words.labels}>
        <Labels run={place.run} labels={report.labels} />
      </Section>
    </div>
  );
}

interface OfEntries {
  run: string;
  entries: readonly EntryReportRow[];
}

function Infra({ run, entries }: OfEntries) {
  const { failures: words } = runText;
  const rows = entries.flatMap(({ entry, infra }, at) =>
    infra.map((one) => ({ ...one, at, entry: entry.label })),
  );
  return (
    <ul>
      {rows.map(({ reason, cells, entry, at }) => (
        <li key={`${entry} ${reason}`}>
          <a href={cellsHref(run, { entry: at, outcome: 'infra' })}>{formatCount(cells)}</a>{' '}
          {reason === null ? words.noReason : REASON_WORDS[reason]}{' '}
          <span className={styles.soft}>
            <VisibleText text={entry} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Premature({ run, entries }: OfEntries) {
  const { failures: words } = runText;
  const some = entries.filter(({ premature }) => premature.cells > 0);
  if (some.length === 0) return <p>{words.none}</p>;
  return (
    <ul>
      {entries.map(
        ({ entry, premature }, at) =>
          premature.cells > 0 && (
            <li key={entry.label}>
              <b>
                <VisibleText text={entry.label} />
              </b>{' '}
              {words.prematureCount(premature.cells, premature.solved)}{' '}
              <a
                href={cellsHref(run, { entry: at, mark: 'premature' })}
                aria-label={`${words.show}: ${visibleLine(entry.label)}`}
              >
                {words.show}
              </a>
            </li>
          ),
      )}
    </ul>
  );
}

function Labels({ run, labels }: { run: string; labels: RunReport['labels'] }) {
  const { failures: words } = runText;
  if (labels.length === 0) return <p>{words.labelsNone}</p>;
  return (
    <>
      <DataTable
        caption={words.labels}
        hideCaption
        rows={labels}
        keyOf={({ label }) => label}
        columns={[
          {
            ...{ id: 'label', header: words.label },
            render: ({ label }) => <VisibleText text={label} />,
          },
          {
            ...{ id: 'cells', header: words.cells, align: 'end' },
            render: ({ cells }) => formatCount(cells),
          },
        ]}
      />
      <p>
        <a href={cellsHref(run, { mark: 'labelled' })}>{words.show}</a>
      </p>
    </>
  );
}
