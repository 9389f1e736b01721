/** About `most` round numbers from 0 to past `max`; the last of them is the end of the axis. */
export function ticks(max: number, most = 5): number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const rough = max / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((one) => one * power >= rough) ?? 10) * power;
  const last = Math.ceil(max / step - 1e-9);
  return Array.from({ length: last + 1 }, (_, at) => at * step);
}

/** A place in a chart, to a tenth of its unit: finer is not seen, and only makes the file larger. */
export function place(value: number): number {
  return Math.round(value * 10) / 10;
}
