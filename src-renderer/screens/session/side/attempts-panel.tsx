import type { SessionResult } from '../../../../src-main/contract/index.ts';
import { Duration, FileSize } from '../../../components/figures.tsx';
import { DataTable } from '../../../components/list/data-table.tsx';
import { EmptyState } from '../../../components/notes.tsx';
import { Pill } from '../../../components/pill.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { formatShare, formatTokens } from '../../../format.ts';
import { formatPlace } from '../../../navigation.ts';
import { EXIT_REASONS } from '../../../../src-main/contract/index.ts';
import { sessionText } from '../../../text/en/session.ts';
import { attemptState } from '../session-head.tsx';
import { useSessionView } from '../session-view.ts';
import styles from './side.module.css';

type Attempt = SessionResult['attempts'][number];

/** All attempts side by side: one column each, so that figures stand beside each other. */
export default function AttemptsPanel() {
  const { got, place } = useSessionView();
  const { attemptsTable: words } = sessionText;
  const { attempts, patch } = got.result;
  if (attempts.length === 0) {
    return (
      <EmptyState icon="retry" title={words.none}>
        {words.noneWords}
      </EmptyState>
    );
  }
  return (
    <div className={styles.panel}>
      <DataTable<Fact>
        caption={words.caption}
        rows={FACTS}
        keyOf={({ name }) => name}
        columns={[
          { id: 'fact', header: words.attempt, render: ({ name }) => name },
          ...attempts.map((attempt) => ({
            id: attempt.attemptId,
            header: words.open(attempt.number),
            render: ({ render }: Fact) => render(attempt),
          })),
        ]}
      />
      <ul className={styles.links}>
        {attempts.map(({ attemptId, number }) => (
          <li key={attemptId}>
            <a href={formatPlace({ ...place, attempt: number, step: null })}>
              {words.show(number)}
            </a>
            {patch?.attemptId === attemptId && <Pill tone="ok">{words.isResult}</Pill>}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Fact {
  name: string;
  render: (attempt: Attempt) => React.ReactNode;
}

const { attemptsTable } = sessionText;

const FACTS: Fact[] = [
  { name: attemptsTable.seed, render: ({ seed }) => seed },
  {
    name: attemptsTable.state,
    render: (attempt) => (
      <>
        <StateMark kind="session" state={attemptState(attempt)} />
        {attempt.exitReason !== null && (
          <p className={styles.soft}>{EXIT_REASONS[attempt.exitReason]}</p>
        )}
      </>
    ),
  },
  {
    name: attemptsTable.verified,
    render: ({ verified }) =>
      attemptsTable.verifiedWords[verified === null ? 'none' : verified ? 'yes' : 'no'],
  },
  { name: attemptsTable.steps, render: ({ steps }) => steps },
  { name: attemptsTable.time, render: ({ seconds }) => <Duration ms={seconds.total * 1000} /> },
  {
    name: attemptsTable.tokens,
    render: ({ tokens }) => `${formatTokens(tokens.prompt)}, ${formatTokens(tokens.completion)}`,
  },
  { name: attemptsTable.cached, render: ({ tokens }) => formatShare(cachedShare(tokens)) },
  {
    name: attemptsTable.peak,
    render: ({ peakMemoryBytes }) => <FileSize bytes={peakMemoryBytes} />,
  },
];

function cachedShare({ prompt, cached }: Attempt['tokens']): number | null {
  return prompt === null || prompt === 0 || cached === null ? null : cached / prompt;
}
