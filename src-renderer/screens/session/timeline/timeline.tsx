import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { formatPlace } from '../../../navigation.ts';
import { useMoveInSession } from '../../../services.ts';
import { sessionText } from '../../../text/en/session.ts';
import type { SessionScreenProps } from '../../props.ts';
import type { TimelineItem } from '../record/timeline.ts';
import { type SharedValue, useIs } from '../shared-value.ts';
import { ItemRow } from './item-row.tsx';
import { LiveRow } from './live-row.tsx';
import { StepRow } from './step-row.tsx';
import styles from './timeline.module.css';
import { type TimelineScroll, useTimelineScroll } from './use-timeline-scroll.ts';

export interface TimelineProps {
  place: SessionScreenProps['place'];
  items: readonly TimelineItem[];
  live: boolean;
  /** The newest step is kept in sight. */
  following: boolean;
  setFollowing: (change: (following: boolean) => boolean) => void;
  /** Step under the pointer, for the charts. */
  hovered: SharedValue<number | null>;
  ref: Ref<TimelineHandle>;
}

export interface TimelineHandle extends TimelineScroll {
  focus: () => void;
}

/** Guesses until a row is measured: near enough that the bar of the scroller does not jump. */
const STEP_PX = 220;
const OTHER_PX = 64;

/** The record as rows of their own heights; only those in sight exist. */
export function Timeline(props: TimelineProps) {
  const { place, items, live, hovered, following, setFollowing } = props;
  const move = useMoveInSession();
  const scroller = useRef<HTMLDivElement>(null);
  const count = items.length + (live ? 1 : 0);
  // What it gives changes with each scroll; nothing here is remembered over it.
  // eslint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === 'step' ? STEP_PX : OTHER_PX),
    getItemKey: (index) => items[index]?.key ?? 'live',
    overscan: 3,
    scrollPaddingStart: 8,
  });
  const scroll = useTimelineScroll({
    ...{ scroller, virtualizer, items, live, following, setFollowing },
    step: place.step,
    onStep: (step) => move({ step }),
  });
  useImperativeHandle(props.ref, () => ({ ...scroll, focus: () => scroller.current?.focus() }));
  return (
    // Its rows are read in order; the keyboard scrolls it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      className={styles.timeline}
      role="feed"
      aria-label={sessionText.timeline.label}
      aria-busy={live}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, so it takes the focus
      tabIndex={0}
    >
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return (
            <article
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={styles.row}
              aria-posinset={index + 1}
              aria-setsize={live ? -1 : count}
              aria-label={rowName(item)}
              data-current={(item?.kind === 'step' && item.step === place.step) || undefined}
              style={{ transform: `translateY(${start}px)` }}
              onPointerEnter={() => hovered.set(item?.kind === 'step' ? item.step : null)}
              onPointerLeave={() => hovered.set(null)}
            >
              {item?.kind === 'step' && <Pointed hovered={hovered} step={item.step} />}
              <Row item={item} place={place} recorded={items.length} />
            </article>
          );
        })}
      </div>
    </div>
  );
}

/** The step that is pointed at in a chart. */
function Pointed({ hovered, step }: { hovered: SharedValue<number | null>; step: number }) {
  return useIs(hovered, step) ? <span className={styles.pointed} aria-hidden="true" /> : null;
}

interface RowProps {
  item: TimelineItem | undefined;
  place: SessionScreenProps['place'];
  recorded: number;
}

function Row({ item, place, recorded }: RowProps) {
  if (item === undefined) return <LiveRow recorded={recorded} />;
  if (item.kind !== 'step') return <ItemRow item={item} place={place} />;
  return <StepRow item={item} href={formatPlace({ ...place, step: item.step })} />;
}

function rowName(item: TimelineItem | undefined): string {
  const { timeline } = sessionText;
  switch (item?.kind) {
    case undefined:
      return timeline.now;
    case 'step':
      return timeline.step(item.step);
    case 'issue':
      return timeline.issue;
    case 'start':
      return timeline.start;
    case 'note':
      return timeline.note[item.level];
    case 'ending':
      return timeline.ended;
    case 'patch':
      return timeline.patch;
    case 'verification':
      return timeline.verification;
    case 'interrupted':
      return timeline.interrupted;
    case 'outcome':
      return timeline.outcome;
  }
}
