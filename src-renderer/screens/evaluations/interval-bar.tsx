import type { Interval } from '../../../src-main/contract/index.ts';
import { placeOn } from './figures.ts';
import styles from './interval-bar.module.css';

export interface IntervalBarProps {
  /** Both ends of the axis. */
  range: readonly [number, number];
  interval: Interval;
  /** A line to compare with, e.g. at no difference. */
  mark?: number;
  /** Colour of the charts. */
  colour?: 1 | 2 | 3 | 4 | 5;
}

/** A figure with its interval on an axis. A picture only: the figures stand beside it. */
export function IntervalBar({ range, interval, mark, colour = 1 }: IntervalBarProps) {
  const { value, low, high } = interval;
  if (value === null) return <span className={styles.axis} aria-hidden="true" />;
  const from = placeOn(range, low ?? value);
  const to = placeOn(range, high ?? value);
  return (
    <span className={styles.axis} aria-hidden="true">
      {mark !== undefined && (
        <span className={styles.mark} style={{ left: `${placeOn(range, mark)}%` }} />
      )}
      <span
        className={styles.interval}
        style={{
          left: `${from}%`,
          width: `${Math.max(0.5, to - from)}%`,
          background: `var(--chart-${colour})`,
        }}
      />
      <span
        className={styles.value}
        style={{ left: `${placeOn(range, value)}%`, borderColor: `var(--chart-${colour})` }}
      />
    </span>
  );
}
