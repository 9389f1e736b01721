import type { RunReport } from '../../../../src-main/contract/index.ts';
import { DataTable } from '../../../components/list/data-table.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatPlace, sessionPlace } from '../../../navigation.ts';
import { runText } from '../../../text/en/run.ts';
import { visibleLine } from '../../../visible.ts';
import styles from '../evaluations.module.css';

/** What looks like a way around the task, each with its evidence and the step that shows it. */
export function Suspicions({ report }: { report: RunReport }) {
  const { failures: words } = runText;
  const { columns } = words;
  if (report.suspects.length === 0) return <p>{words.none}</p>;
  return (
    <DataTable
      caption={words.suspicions}
      hideCaption
      rows={report.suspects}
      keyOf={({ session, kind, step, evidence }) => `${session} ${kind} ${step} ${evidence}`}
      columns={[
        {
          id: 'kind',
          header: columns.kind,
          render: ({ kind }) => <span className={styles.line}>{words.kinds[kind]}</span>,
        },
        {
          ...{ id: 'where', header: columns.where },
          render: ({ task, entry, seed }) => (
            <VisibleText
              text={words.attempt(task, report.entries[entry]?.entry.label ?? '', seed)}
            />
          ),
        },
        {
          ...{ id: 'solved', header: columns.solved },
          render: ({ solved }) => (
            <StateMark
              kind="cell"
              state={solved ? 'resolved' : 'never_fixed'}
              words={solved ? words.solved : words.unsolved}
            />
          ),
        },
        {
          ...{ id: 'evidence', header: columns.evidence },
          render: ({ evidence }) => (
            <code>
              <VisibleText text={visibleLine(evidence)} />
            </code>
          ),
        },
        {
          ...{ id: 'step', header: columns.step },
          render: ({ session, step, task }) => (
            <a
              className={styles.line}
              href={formatPlace(sessionPlace(session, { step }))}
              aria-label={`${visibleLine(task)}, ${words.step(step)}`}
            >
              {words.step(step)}
            </a>
          ),
        },
      ]}
    />
  );
}
