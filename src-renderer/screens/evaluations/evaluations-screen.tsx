import { useState } from 'react';
import { useCall, useConnection } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState, ErrorNote, Loading } from '../../components/notes.tsx';
import { Page } from '../../components/page.tsx';
import { evaluationsText } from '../../text/en/evaluations.ts';
import type { EvaluationsScreenProps } from '../props.ts';
import styles from './evaluations.module.css';
import { RunList } from './list/run-list.tsx';
import { StartRun } from './list/start-run.tsx';
import { RunScreen } from './run-screen.tsx';

/** Runs of another process come and go without a word to this page. */
const LOOK_EVERY_MS = 5_000;

export default function EvaluationsScreen({ place }: EvaluationsScreenProps) {
  return place === null ? <Runs /> : <RunScreen place={place} />;
}

function Runs() {
  const [starting, setStarting] = useState(false);
  const enabled = useConnection() === 'open';
  const runs = useCall('evaluation/runs', {}, { enabled, everyMs: LOOK_EVERY_MS });
  const { data } = runs;
  const running = data?.filter(({ state }) => state === 'running').length ?? 0;
  const button = (
    <Button variant="primary" icon="plus" onPress={() => setStarting(true)}>
      {evaluationsText.start.action}
    </Button>
  );
  const isEmpty = data?.length === 0;
  return (
    <Page
      title={evaluationsText.title}
      facts={
        data !== undefined &&
        !isEmpty && (
          <span className={styles.facts}>
            <span>{evaluationsText.count(data.length)}</span>
            {running > 0 && <span>{evaluationsText.running(running)}</span>}
          </span>
        )
      }
      actions={isEmpty ? undefined : button}
    >
      {runs.error !== null && data === undefined ? (
        <div className={styles.notices}>
          <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />
        </div>
      ) : data === undefined ? (
        <Loading>{evaluationsText.loading}</Loading>
      ) : isEmpty ? (
        <EmptyState icon="evaluations" title={evaluationsText.empty.title} action={button}>
          <p>{evaluationsText.empty.words}</p>
          <p className={styles.command}>
            <code>{evaluationsText.empty.command}</code>
            <CopyButton text={evaluationsText.empty.command} label={evaluationsText.empty.copy} />
          </p>
        </EmptyState>
      ) : (
        <RunList runs={data} />
      )}
      {starting && <StartRun onClose={() => setStarting(false)} />}
    </Page>
  );
}
