/** Paths in a square of 100 by 100, drawn without distortion of the line's width. */

/** A line through the values; it has a gap where nothing was measured. */
export function linePath(values: ReadonlyArray<number | null>, top: number): string {
  let drawn = '';
  let open = false;
  // One figure is a level, not a point that nobody sees.
  const [only] = values;
  if (values.length === 1 && typeof only === 'number') {
    const level = point(0, only, 1, top);
    return `M${level}L${level.replace(/^0/, '100')}`;
  }
  for (const [index, value] of values.entries()) {
    if (value !== null) drawn += `${open ? 'L' : 'M'}${point(index, value, values.length, top)}`;
    open = value !== null;
  }
  return drawn;
}

/** The area below each unbroken piece of the line. */
export function areaPath(values: ReadonlyArray<number | null>, top: number): string {
  let drawn = '';
  let start = 0;
  for (let index = 0; index <= values.length; index += 1) {
    if (index < values.length && values[index] !== null) continue;
    const piece = values.slice(start, index);
    if (piece.length > 1) {
      const points = piece.map((value, place) =>
        point(start + place, value ?? 0, values.length, top),
      );
      drawn += `M${across(start, values.length)} 100L${points.join('L')}L${across(index - 1, values.length)} 100Z`;
    }
    start = index + 1;
  }
  return drawn;
}

function point(index: number, value: number, count: number, top: number): string {
  const height = top <= 0 ? 0 : Math.min(1, Math.max(0, value / top));
  return `${across(index, count)} ${round(99 - height * 98)}`;
}

function across(index: number, count: number): number {
  return count < 2 ? 0 : round((index / (count - 1)) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
