import type { ReactNode } from 'react';

/** One figure over time. */
export interface ChartSeries {
  id: string;
  label: string;
  /** As many as there are times; `null` = not measured. */
  values: ReadonlyArray<number | null>;
  colour: 1 | 2 | 3 | 4 | 5;
  /** `line` where left out; `step` holds a value until the next. */
  kind?: 'line' | 'area' | 'step' | 'bars';
  /** Dashes tell it apart where colour does not. */
  dashed?: boolean;
}

/** A stretch of time that belongs together, e.g. a step. Milliseconds since 1970. */
export interface ChartSpan {
  id: number;
  from: number;
  to: number;
}

export interface TimeChartProps {
  title: string;
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  format: (value: number | null) => string;
  /** Stretches of time that can be pointed at, in order. */
  spans?: readonly ChartSpan[];
  /** The one that is pointed at, here or elsewhere: a band, and its figures in the legend. */
  shown?: ChartSpan | null;
  nameOf?: (span: ChartSpan) => string;
  onPoint?: (span: ChartSpan | null) => void;
  onPress?: (span: ChartSpan) => void;
  /** Stands in the place of the canvas; legend and table stay. */
  picture?: ReactNode;
  /** Both ends of the time axis, where several charts share one. */
  range?: readonly [from: number, to: number];
  /** `binary`: figures are bytes, so the axis counts in powers of two. */
  ticks?: 'decimal' | 'binary';
  /** Charts with the same name show the same moment under the pointer. */
  sync?: string;
  /** Upper end of the figures; the largest where left out. */
  max?: number;
  /** A limit drawn across, e.g. the context window. */
  limit?: { value: number; label: string };
  heightRem?: number;
  /** Times are counted from here (`0:00`) instead of shown as clock times. */
  zero?: number;
}
