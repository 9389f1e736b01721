import { memo } from 'react';
import { EXIT_REASONS } from '../../../../src-main/contract/index.ts';
import { Changes } from '../../../components/figures.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { VisibleText } from '../../../components/visible-text.tsx';
import { formatDuration, formatSize } from '../../../format.ts';
import { formatPlace, type SessionTab } from '../../../navigation.ts';
import { sessionText } from '../../../text/en/session.ts';
import { shellText } from '../../../text/en/shell.ts';
import { plural } from '../../../text/en/units.ts';
import type { SessionScreenProps } from '../../props.ts';
import type { TimelineItem } from '../record/timeline.ts';
import { showSide } from '../side/show-side.ts';
import { Remark } from './step-row.tsx';
import styles from './timeline.module.css';

type ItemOf<K extends TimelineItem['kind']> = Extract<TimelineItem, { kind: K }>;
type Other = Exclude<TimelineItem, { kind: 'step' }>;

export interface ItemRowProps {
  item: Other;
  place: SessionScreenProps['place'];
}

/** Everything of the record that is no step. */
export const ItemRow = memo(function ItemRow({ item, place }: ItemRowProps) {
  const { timeline } = sessionText;
  const to = (tab: SessionTab) => formatPlace({ ...place, tab, step: null });
  switch (item.kind) {
    case 'issue':
      return (
        <Framed
          icon="note"
          title={item.followUp === null ? timeline.issue : timeline.issueFollowUp}
        >
          <PlainText text={item.text} />
        </Framed>
      );
    case 'start':
      return <Start item={item} />;
    case 'note':
      return (
        <Framed>
          <Remark tone={item.level} label={timeline.note[item.level]} text={item.text} />
        </Framed>
      );
    case 'interrupted':
      return (
        <Framed>
          <Remark tone="warning" label={timeline.interrupted} text={item.text} />
        </Framed>
      );
    case 'ending':
      return <Ending item={item} />;
    case 'patch':
      return <Patch item={item} href={to('review')} />;
    case 'verification':
      return <Verified item={item} href={to('verification')} />;
    case 'outcome':
      return (
        <Framed icon="flag" title={timeline.outcome}>
          <StateMark kind="session" state={item.outcome.outcome} />
          {item.outcome.detail !== null && (
            <p className={styles.soft}>
              <VisibleText text={item.outcome.detail} />
            </p>
          )}
        </Framed>
      );
  }
});

interface FramedProps {
  icon?: IconName;
  title?: string;
  children?: React.ReactNode;
}

function Framed({ icon, title, children }: FramedProps) {
  return (
    <>
      <span className={styles.mark} aria-hidden="true">
        {icon !== undefined && <Icon name={icon} />}
      </span>
      <div className={styles.content}>
        {title !== undefined && <h2 className={styles.itemTitle}>{title}</h2>}
        {children}
      </div>
    </>
  );
}

function Start({ item: { number, resumedFrom, snapshot, image } }: { item: ItemOf<'start'> }) {
  const { timeline } = sessionText;
  const words: string[] = [];
  if (snapshot !== null) {
    const { files, bytes, baseCommit, dirty, notCarried } = snapshot;
    const counted = plural(files, 'file');
    words.push(timeline.startWords(counted, formatSize(bytes), baseCommit.slice(0, 7)));
    if (dirty.modified + dirty.untracked > 0) {
      words.push(timeline.dirty(dirty.modified, dirty.untracked));
    }
    if (notCarried.length > 0) words.push(timeline.notCarried(notCarried.length));
  }
  if (image !== null) words.push(timeline.image(image.replace(/^sha256:/, '').slice(0, 12)));
  const title =
    resumedFrom === null ? timeline.attemptStarts(number) : timeline.resumed(resumedFrom);
  return (
    <Framed icon="play" title={title}>
      <p className={styles.soft}>{words.join(' · ')}</p>
    </Framed>
  );
}

function Ending({ item: { ending, failed } }: { item: ItemOf<'ending'> }) {
  const { timeline } = sessionText;
  const { exitReason, detail, steps, seconds } = ending;
  return (
    <Framed icon={failed ? 'warning' : 'stop'} title={timeline.ended}>
      <p>
        {sentence(EXIT_REASONS[exitReason])}{' '}
        <span className={styles.soft}>{timeline.exit(exitReason)}</span>
      </p>
      {detail !== null && (
        <p className={failed ? styles.bad : styles.soft}>
          <VisibleText text={detail} />
        </p>
      )}
      <p className={styles.soft}>
        {timeline.endedFacts(shellText.steps(steps), formatDuration(seconds.total * 1000))}
      </p>
    </Framed>
  );
}

function Patch({ item: { patch }, href }: { item: ItemOf<'patch'>; href: string }) {
  const { timeline } = sessionText;
  if (patch.blob === null) {
    return (
      <Framed icon="file" title={timeline.patch}>
        <p className={styles.soft}>{timeline.noPatch}</p>
      </Framed>
    );
  }
  return (
    <Framed icon="file" title={timeline.patch}>
      <p className={styles.line}>
        <span>{timeline.patchFacts(patch.files.length)}</span>
        <Changes insertions={patch.insertions} deletions={patch.deletions} />
        {patch.source === 'checkpoint' && <span>{timeline.fromCheckpoint}</span>}
        {/* Also where the address is that one already. */}
        <a href={href} onClick={showSide}>
          {timeline.toReview}
        </a>
      </p>
    </Framed>
  );
}

function Verified({ item: { result }, href }: { item: ItemOf<'verification'>; href: string }) {
  const { timeline } = sessionText;
  return (
    <Framed icon="check" title={timeline.verification}>
      <div className={styles.card} data-passed={result.passed}>
        <p className={styles.line}>
          <StateMark kind="session" state={result.passed ? 'verified' : 'not_verified'} />
          <code className="cut">
            <VisibleText text={result.command} />
          </code>
        </p>
        <p>
          <VisibleText text={result.summary} />
        </p>
        <p>
          <a href={href} onClick={showSide}>
            {timeline.toVerification}
          </a>
        </p>
      </div>
    </Framed>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
