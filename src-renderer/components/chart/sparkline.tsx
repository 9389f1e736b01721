import { useMemo } from 'react';
import styles from './sparkline.module.css';
import { areaPath, linePath } from './paths.ts';

export interface SparklineProps {
  /** Oldest first; `null` = not measured. */
  values: ReadonlyArray<number | null>;
  /** Upper end; the largest value when left out. */
  max?: number;
  colour?: 1 | 2 | 3 | 4 | 5;
  /** What the line tells in words: it is a picture to those who cannot see it. */
  label: string;
}

/** The course of one figure without axes; figures stand beside it. */
export function Sparkline({ values, max, colour = 1, label }: SparklineProps) {
  const top = max ?? Math.max(1, ...values.filter((value) => value !== null));
  const line = useMemo(() => linePath(values, top), [values, top]);
  const area = useMemo(() => areaPath(values, top), [values, top]);
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={styles.area} style={{ fill: `var(--chart-${colour})` }} d={area} />
      <path className={styles.line} style={{ stroke: `var(--chart-${colour})` }} d={line} />
    </svg>
  );
}

export interface BarsProps {
  /** Each bar's parts from the bottom. */
  bars: ReadonlyArray<readonly number[]>;
  colours: ReadonlyArray<1 | 2 | 3 | 4 | 5>;
  /** Upper end; the highest bar when left out. */
  max?: number;
  label: string;
}

/** Stacked bars, e.g. time of each step by who took it. */
export function Bars({ bars, colours, max = 0, label }: BarsProps) {
  const top = Math.max(
    max,
    Number.MIN_VALUE,
    ...bars.map((parts) => parts.reduce((sum, part) => sum + part, 0)),
  );
  const width = 100 / Math.max(1, bars.length);
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((parts, index) => {
        let base = 100;
        return parts.map((part, place) => {
          const height = (part / top) * 98;
          base -= height;
          return (
            <rect
              // eslint-disable-next-line react/no-array-index-key -- a bar is its place
              key={`${index}.${place}`}
              x={index * width + width * 0.12}
              width={width * 0.76}
              y={base}
              height={height}
              style={{ fill: `var(--chart-${colours[place] ?? 5})` }}
            />
          );
        });
      })}
    </svg>
  );
}
