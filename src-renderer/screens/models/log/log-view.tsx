import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { classes } from '../../../components/classes.ts';
import { VisibleText } from '../../../components/visible-text.tsx';
import { logText } from '../../../text/en/model-server.ts';
import styles from './log.module.css';
import { isFault, type LogLine, shownOf } from './log-lines.ts';

const LINE_REM = 1.125;
/** Closer to the end than this is the end. */
const END_PX = 24;

export interface LogViewProps {
  lines: readonly LogLine[];
  follow: boolean;
  /** Scrolling away from the end ends it; to the end begins it. */
  onFollow: (follow: boolean) => void;
  /** Number of the line to bring into sight. */
  show: number | null;
  marked: number | null;
}

/** Any number of lines; only those in sight exist. */
export function LogView({ lines, follow, onFollow, show, marked }: LogViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_REM * rem,
    overscan: 20,
  });
  // A person's own scrolling is told from ours by who asked last.
  const byUs = useRef(false);
  useLayoutEffect(() => {
    if (!follow || scroller.current === null) return;
    byUs.current = true;
    scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [follow, lines]);
  useLayoutEffect(() => {
    const index = lines.findIndex(({ number }) => number === show);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
    // Only when it is asked for, not when lines come.
    // eslint-disable-next-line react/exhaustive-deps
  }, [show]);
  const onScroll = () => {
    const at = scroller.current;
    if (at === null) return;
    const atEnd = at.scrollHeight - at.scrollTop - at.clientHeight < END_PX;
    if (byUs.current) {
      byUs.current = false;
      return;
    }
    if (atEnd !== follow) onFollow(atEnd);
  };
  return (
    // Scrolls, so the keyboard has to reach it.
    <div
      ref={scroller}
      className={styles.lines}
      role="log"
      aria-live="off"
      aria-label={logText.lines}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className={styles.all} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index];
          return (
            line !== undefined && (
              <Line
                key={line.number}
                {...{ line, start, size }}
                isMarked={line.number === marked}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function Line(props: { line: LogLine; start: number; size: number; isMarked: boolean }) {
  const { line, start, size, isMarked } = props;
  return (
    <div
      className={classes(styles.line, isFault(line.text) && styles.bad, isMarked && styles.marked)}
      style={{ height: size, transform: `translateY(${start}px)` }}
    >
      <span className={styles.number}>{line.number + 1}</span>
      <VisibleText text={shownOf(line)} />
    </div>
  );
}
