const BARS = '▁▂▃▄▅▆▇█';
/** Fewer points show no course. */
const LEAST_POINTS = 5;

/**
 * A course in one line, a cell for each of the last `cells` values: from 0 to the highest of them;
 * blank where it is not known. `null` where there is nothing to see.
 */
export function sparkline(
  values: readonly (number | null)[],
  cells: number,
): { line: string; highest: number } | null {
  const shown = values.slice(-cells);
  const known = shown.filter((value) => value !== null);
  const highest = Math.max(0, ...known);
  if (known.length < LEAST_POINTS || highest === 0) return null;
  const line = shown
    .map((value) =>
      value === null ? ' ' : BARS[Math.round((value / highest) * (BARS.length - 1))],
    )
    .join('');
  return { line, highest };
}
