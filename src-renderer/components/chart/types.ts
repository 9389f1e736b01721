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

/** A moment worth a line across the chart, e.g. the end of a step. */
export interface ChartMark {
  at: number;
  label: string;
}

export interface TimeChartProps {
  title: string;
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  format: (value: number | null) => string;
  marks?: readonly ChartMark[];
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
