import { memo } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatDuration, formatMoment, formatTokens } from '../../../format.ts';
import { sessionText } from '../../../text/en/session.ts';
import { durationOf, type StepItem } from '../record/timeline.ts';
import { CallCard } from './call-card.tsx';
import { useFold } from './folds.ts';
import styles from './timeline.module.css';

export interface StepRowProps {
  item: StepItem;
  /** Address of this step. */
  href: string;
}

/**
 * One step: what the model thought, said and called, and what came of it. Drawn once: a step on
 * record never changes, and a scroll draws the list anew with each frame.
 */
export const StepRow = memo(function StepRow({ item, href }: StepRowProps) {
  const { timeline } = sessionText;
  return (
    <>
      <a
        className={styles.number}
        href={href}
        title={formatMoment(item.at)}
        aria-label={timeline.linkTo(item.step)}
        data-failed={item.failed || undefined}
      >
        {item.step}
      </a>
      <div className={styles.content}>
        <Meta item={item} />
        {item.reasoning !== '' && <Reasoning item={item} />}
        {item.text.trim() !== '' && (
          <div className={styles.say}>
            <PlainText text={item.text.trim()} />
          </div>
        )}
        {item.cut && <Remark tone="warning" label={timeline.note.warning} text={timeline.cut} />}
        {item.calls.map((call, index) => (
          <CallCard key={call.id} call={call} foldKey={`${item.step}.${index}`} />
        ))}
        {item.nudges.map((text, index) => (
          // eslint-disable-next-line react/no-array-index-key -- a step on record never changes
          <Remark key={index} tone="warning" label={timeline.told} text={text} />
        ))}
        {item.notes.map((text, index) => (
          // eslint-disable-next-line react/no-array-index-key
          <Remark key={index} tone="info" label={timeline.note.info} text={text} />
        ))}
      </div>
    </>
  );
});

function Meta({ item: { usage, timings } }: { item: StepItem }) {
  const { timeline } = sessionText;
  const time = formatDuration(durationOf(timings));
  const { promptTokens, cachedTokens, completionTokens } = usage;
  const known = promptTokens !== null;
  return (
    <span
      className={styles.meta}
      title={
        known
          ? timeline.metaTitle(
              formatTokens(promptTokens),
              formatTokens(cachedTokens),
              formatTokens(completionTokens),
            )
          : undefined
      }
    >
      {known ? timeline.meta(time, formatTokens(promptTokens)) : timeline.metaTime(time)}
    </span>
  );
}

function Reasoning({ item }: { item: StepItem }) {
  const [open, toggle] = useFold(`${item.step}.thought`, false);
  return (
    <div className={styles.thought}>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'chevronDown' : 'chevronRight'} />
        {sessionText.timeline.thought(formatDuration(item.timings.modelMs))}
      </button>
      {open && (
        <div className={styles.thoughtText}>
          <PlainText text={item.reasoning.trim()} />
        </div>
      )}
    </div>
  );
}

export interface RemarkProps {
  tone: 'info' | 'warning' | 'error';
  label: string;
  text: string;
}

/** A word of ours between the steps. */
export function Remark({ tone, label, text }: RemarkProps) {
  return (
    <div className={styles.note} data-tone={tone}>
      <Icon name={tone === 'info' ? 'info' : 'warning'} />
      <p>
        <b>{label}</b> <VisibleText text={text} />
      </p>
    </div>
  );
}
