import { memo } from 'react';
import { Elapsed } from '../../components/figures.tsx';
import { StateMark, stateWord } from '../../components/state-mark.tsx';
import { formatDuration, formatShare, formatTokens } from '../../format.ts';
import { formatPlace } from '../../navigation.ts';
import { sessionText } from '../../text/en/session.ts';
import { visibleLine } from '../../visible.ts';
import type { SessionResult } from '../../../src-main/contract/index.ts';
import { CellNote, isCellRecord } from '../evaluations/cell-note.tsx';
import { baseName } from '../paths.ts';
import { attemptState } from './record/attempt-state.ts';
import { attemptFacts } from './record/attempts.ts';
import { newestOf } from './record/timeline.ts';
import { SessionActions } from './session-actions.tsx';
import styles from './session-screen.module.css';
import { useRecordView, useSessionView, useShownActivity } from './session-view.ts';

type Attempt = SessionResult['attempts'][number];

/** Title, facts and actions of the session, and the choice of its attempt. */
export const SessionHead = memo(function SessionHead() {
  const { got } = useSessionView();
  return (
    <header className={styles.head}>
      <div className={styles.titleRow}>
        <h1>{visibleLine(got.row.title)}</h1>
        <SessionActions />
      </div>
      <Facts />
      <OfRun session={got.row.sessionId} />
      {got.result.attempts.length > 1 && <AttemptChoice />}
    </header>
  );
});

/** Where the session is a cell of an evaluation, the way back to it. */
function OfRun({ session }: { session: string }) {
  const { events } = useRecordView();
  return isCellRecord(events) ? <CellNote session={session} /> : null;
}

function Facts() {
  const { got, attempt, live } = useSessionView();
  const { events } = useRecordView();
  const activity = useShownActivity();
  const { facts: words } = sessionText;
  const { row } = got;
  const commit = newestOf(events, 'snapshot.taken', null)?.baseCommit ?? got.startCommit;
  const known = attempt === null ? null : attemptFacts(events, attempt.attemptId);
  const step = Math.max(known?.step ?? 0, live ? (activity?.step ?? 0) : 0);
  return (
    <div className={styles.facts}>
      <StateMark kind="session" state={row.state} />
      <span title={visibleLine(row.repository)}>
        <b>{visibleLine(baseName(row.repository))}</b>
        {commit !== null && ` ${words.at} ${commit.slice(0, 7)}`}
      </span>
      {attempt === null || known === null ? (
        <span>{words.notStarted}</span>
      ) : (
        <>
          <span>
            {words.attempt} <b>{attempt.number}</b>
            {words.ofAttempts(Math.max(row.attempts, attempt.number), attempt.seed)}
          </span>
          <span>
            {words.step} <b>{step}</b> {words.of(String(got.maxSteps))}
          </span>
          {known.contextTokens !== null && (
            <span>
              {words.context} <b>{formatTokens(known.contextTokens)}</b>
              {got.contextTokens !== null && ` ${words.of(formatTokens(got.contextTokens))}`}
            </span>
          )}
          {known.cachedShare !== null && (
            <span>
              {words.cached} <b>{formatShare(known.cachedShare)}</b>
            </span>
          )}
          <span>
            {words.time}{' '}
            <b>
              {live && known.startedAt !== null ? (
                <Elapsed since={known.startedAt} />
              ) : (
                formatDuration(attempt.seconds.total * 1000)
              )}
            </b>
          </span>
        </>
      )}
    </div>
  );
}

function AttemptChoice() {
  const { got, place, attempt } = useSessionView();
  const { events, complete } = useRecordView();
  const stateOf = (each: Attempt) => {
    const patch = newestOf(events, 'patch.made', each.attemptId);
    return attemptState(each, !complete || (patch !== null && patch.blob !== null));
  };
  return (
    <nav className={styles.attempts} aria-label={sessionText.attempts}>
      {got.result.attempts.map((each) => (
        <a
          key={each.attemptId}
          href={formatPlace({ ...place, attempt: each.number, step: null })}
          aria-current={each.attemptId === attempt?.attemptId ? 'true' : undefined}
          aria-label={sessionText.attemptTab(each.number, stateWord('session', stateOf(each)))}
        >
          <StateMark
            kind="session"
            state={stateOf(each)}
            quiet
            words={sessionText.attemptShort(each.number)}
          />
        </a>
      ))}
    </nav>
  );
}
