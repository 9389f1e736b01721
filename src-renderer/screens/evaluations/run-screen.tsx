import type { OutputOf } from '../../../src-main/contract/index.ts';
import { ErrorNote, Loading, EmptyState } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Age } from '../../components/figures.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatPlace, RUN_TABS, type RunTab } from '../../navigation.ts';
import { useServices } from '../../services.ts';
import { useActionKey } from '../../shortcuts/use-action-key.ts';
import { evaluationsText } from '../../text/en/evaluations.ts';
import { runText } from '../../text/en/run.ts';
import { visibleLine } from '../../visible.ts';
import type { Cell } from './cells.ts';
import { CompareTab } from './compare/compare-tab.tsx';
import styles from './evaluations.module.css';
import { FailuresTab } from './failures/failures-tab.tsx';
import { MatrixTab } from './matrix/matrix-tab.tsx';
import { ResultTab } from './result/result-tab.tsx';
import { RunActions } from './run-actions.tsx';
import { RunProgress } from './run-progress.tsx';
import type { RunPlace } from './run-place.ts';
import { useRun } from './use-run.ts';

/** One run: what it came to, its attempts, and how it compares. */
export function RunScreen({ place }: { place: RunPlace }) {
  const { report, cells, error, retry } = useRun(place.run);
  if (report === undefined || cells === undefined) {
    if (error === null) return <Loading>{runText.loading}</Loading>;
    return <Failed run={place.run} error={error} onRetry={retry} />;
  }
  return (
    <Page
      title={<VisibleText text={report.summary.name} />}
      facts={<Facts report={report} />}
      actions={<RunActions report={report} compared={place.with ?? null} />}
    >
      <RunProgress report={report} />
      <Parts place={place} report={report} cells={cells} />
    </Page>
  );
}

interface PartsProps {
  place: RunPlace;
  report: OutputOf<'evaluation/run'>;
  cells: readonly Cell[];
}

function Parts(props: PartsProps) {
  const { place } = props;
  const { navigate } = useServices();
  const selected = place.tab ?? 'result';
  // Tabs are no steps to go back through.
  const choose = (tab: RunTab) => navigate({ ...place, tab }, { replace: true });
  useActionKey('run.result', () => choose('result'));
  useActionKey('run.matrix', () => choose('matrix'));
  useActionKey('run.failures', () => choose('failures'));
  useActionKey('run.compare', () => choose('compare'));
  return (
    <Tabs
      label={runText.tabs.label}
      selected={selected}
      onSelect={choose}
      tabs={RUN_TABS.map((id) => ({
        id,
        label: runText.tabs[id],
        render: () => panelOf(id, props),
      }))}
    />
  );
}

function panelOf(tab: RunTab, { place, report, cells }: PartsProps) {
  switch (tab) {
    case 'result':
      return <ResultTab report={report} />;
    case 'matrix':
      return <MatrixTab place={place} report={report} cells={cells} />;
    case 'failures':
      return <FailuresTab place={place} report={report} />;
    case 'compare':
      return <CompareTab place={place} report={report} />;
  }
}

function Facts({ report: { summary } }: { report: OutputOf<'evaluation/run'> }) {
  return (
    <span className={styles.facts}>
      <StateMark kind="run" state={summary.state} />
      <span>{runText.facts(summary.tasks, summary.seeds, summary.entries.length)}</span>
      <span className="cut">{summary.entries.map(visibleLine).join(', ')}</span>
      <Age at={summary.createdAt} />
    </span>
  );
}

function Failed(props: { run: string; error: unknown; onRetry: () => void }) {
  const { gone } = evaluationsText;
  const isGone =
    typeof props.error === 'object' &&
    props.error !== null &&
    'code' in props.error &&
    props.error.code === 'run_not_found';
  return (
    <Page title={evaluationsText.title}>
      {isGone ? (
        <EmptyState
          icon="evaluations"
          title={gone.title(visibleLine(props.run))}
          action={<a href={formatPlace({ screen: 'evaluations' })}>{gone.back}</a>}
        >
          {gone.words}
        </EmptyState>
      ) : (
        <div className={styles.notices}>
          <ErrorNote error={props.error} onRetry={props.onRetry} />
        </div>
      )}
    </Page>
  );
}
