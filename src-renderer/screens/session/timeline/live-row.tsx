import { useState } from 'react';
import type { Activity } from '../../../api/activities.ts';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { Elapsed } from '../../../components/figures.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { sessionText } from '../../../text/en/session.ts';
import { useShownActivity } from '../session-view.ts';
import { Remark } from './step-row.tsx';
import styles from './timeline.module.css';

/** Of a text that streams, its newest part: the record will show all of it. */
const SHOWN_CHARS = 4_000;

export interface LiveRowProps {
  /** Steps on record: the one that runs is the next. */
  recorded: number;
}

/** What happens right now: the step that is not on record yet. */
export function LiveRow({ recorded }: LiveRowProps) {
  const { timeline } = sessionText;
  const activity = useShownActivity();
  const step = activity?.step ?? null;
  const since = useSince(`${activity?.attempt} ${step ?? activity?.phase} ${recorded}`);
  return (
    <>
      <span className={styles.number} data-live>
        {step ?? '·'}
      </span>
      <div className={styles.content}>
        {activity === undefined || step === null ? (
          <p className={styles.line}>
            <StateMark
              kind="session"
              state="running"
              words={activity?.phase ?? (recorded === 0 ? timeline.starting : timeline.waiting)}
            />
            <Elapsed since={since} />
          </p>
        ) : (
          <LiveStep activity={activity} since={since} />
        )}
        {activity?.notes.map((text, index) => (
          // eslint-disable-next-line react/no-array-index-key -- only added to at the end
          <Remark key={index} tone="warning" label={timeline.retrying} text={text} />
        ))}
      </div>
    </>
  );
}

function LiveStep({ activity, since }: { activity: Activity; since: number }) {
  const { timeline } = sessionText;
  const { reasoning, content, call, tool } = activity;
  const doing =
    call !== ''
      ? timeline.calling
      : content !== ''
        ? timeline.writing
        : reasoning !== ''
          ? timeline.thinking
          : timeline.waiting;
  return (
    <>
      {tool === null && (
        <p className={styles.line}>
          <StateMark kind="session" state="running" words={doing} />
          <Elapsed since={since} />
        </p>
      )}
      {reasoning !== '' && (
        <p className={styles.liveThought}>
          <VisibleText text={newest(reasoning)} />
        </p>
      )}
      {content.trim() !== '' && (
        <p className={styles.liveText}>
          <VisibleText text={newest(content)} />
        </p>
      )}
      {call !== '' && tool === null && (
        <div className={styles.call}>
          <CodeBlock text={newest(call)} wrap label={timeline.calling} limit={null} />
        </div>
      )}
      {tool !== null && (
        <div className={styles.call}>
          <div className={styles.callHead}>
            <span className={styles.callFold}>
              <span className={styles.tool}>
                <VisibleText text={tool.name} />
              </span>
              <code className="cut">
                <VisibleText text={tool.summary} />
              </code>
            </span>
            <span className={styles.callSide}>
              <StateMark kind="session" state="running" />
              <Elapsed since={tool.since} />
            </span>
          </div>
        </div>
      )}
    </>
  );
}

function newest(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `…${text.slice(-SHOWN_CHARS)}`;
}

/** The moment since which something is as it is; begins anew when the key changes. */
function useSince(key: string): number {
  const [kept, setKept] = useState(() => ({ key, at: Date.now() }));
  if (kept.key !== key) setKept({ key, at: now() });
  return kept.at;
}

function now(): number {
  return Date.now();
}
