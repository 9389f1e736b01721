import { useState } from 'react';
import type { DoctorRow } from '../../../src-main/contract/index.ts';
import { useCall } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { ErrorNote, Loading } from '../../components/notes.tsx';
import { Section } from '../../components/page.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useServices } from '../../services.ts';
import { environmentText } from '../../text/en/environment.ts';
import { type CheckAction, checkAction, checkCounts, checkWords, sortedChecks } from './checks.ts';
import styles from './environment.module.css';

const text = environmentText.checks;

export interface ChecksProps {
  onBuild: () => void;
  onClean: () => void;
}

/** Rows of the doctor: what is here, what is missing, and what to do. */
export function Checks(props: ChecksProps) {
  const { data, error, isPending, isFetching, refetch } = useCall('environment/doctor', {});
  return (
    <Section
      title={environmentText.sections.checks}
      actions={
        <Button
          small
          icon="retry"
          busy={isFetching ? text.looking : null}
          onPress={() => void refetch()}
        >
          {text.again}
        </Button>
      }
    >
      {isPending && <Loading>{text.loading}</Loading>}
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && (
        <>
          <Verdict rows={data} />
          <Rows rows={sortedChecks(data)} {...props} />
        </>
      )}
    </Section>
  );
}

function Verdict({ rows }: { rows: readonly DoctorRow[] }) {
  const { missing, rest } = checkCounts(rows);
  return (
    <p className={styles.row}>
      {missing === 0 ? (
        <StateMark kind="check" state="ok" words={text.fine} />
      ) : (
        <StateMark kind="check" state="missing" words={text.missing(missing)} />
      )}
      {rest > 0 && <span className={styles.soft}>{text.rest(rest)}</span>}
    </p>
  );
}

function Rows({ rows, onBuild, onClean }: ChecksProps & { rows: DoctorRow[] }) {
  return (
    <DataTable
      caption={text.table}
      hideCaption
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        {
          id: 'what',
          header: text.what,
          render: ({ name, required }) => (
            <span className={styles.what}>
              <b>
                <VisibleText text={checkWords(name)} />
              </b>
              <span className={styles.need}>{required ? text.required : text.optional}</span>
            </span>
          ),
        },
        {
          id: 'state',
          header: text.state,
          render: ({ state }) => <StateMark kind="check" state={state} />,
        },
        { id: 'found', header: text.found, render: ({ found }) => <Long text={found} /> },
        {
          id: 'remedy',
          header: text.remedy,
          render: (row) => (
            <span className={styles.remedy}>
              {row.remedy !== null && <VisibleText text={row.remedy} />}
              <Action action={checkAction(row)} {...{ onBuild, onClean }} />
            </span>
          ),
        },
      ]}
    />
  );
}

/** A longer finding is cut; engines list each place where they were looked for. */
const LONG = 150;

function Long({ text: whole }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (whole.length <= LONG || isWhole) return <VisibleText text={whole} />;
  const cut = whole.lastIndexOf(' ', LONG);
  return (
    <>
      <VisibleText text={`${whole.slice(0, cut === -1 ? LONG : cut)} …`} />{' '}
      <Button small variant="quiet" onPress={() => setIsWhole(true)}>
        {text.more}
      </Button>
    </>
  );
}

function Action({ action, onBuild, onClean }: ChecksProps & { action: CheckAction | null }) {
  const { navigate } = useServices();
  switch (action?.kind) {
    case undefined:
      return null;
    case 'build':
      return (
        <Button small onPress={onBuild}>
          {text.build}
        </Button>
      );
    case 'clean':
      return (
        <Button small onPress={onClean}>
          {text.clean}
        </Button>
      );
    case 'models':
      return (
        <Button small onPress={() => navigate({ screen: 'models' })}>
          {text.models}
        </Button>
      );
    case 'model':
      return (
        <Button small onPress={() => navigate({ screen: 'model', name: action.name })}>
          {text.openModel}
        </Button>
      );
  }
}
