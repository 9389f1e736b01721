/** Lines of the cost curves. Pure. */

interface Point {
  cost: number;
  solved: number;
}

/** A staircase in a square of 100 with its origin at the lower left. */
export function stairs(points: readonly Point[], end: number, top: number): string {
  const x = (cost: number) => round((cost / end) * 100);
  const y = (solved: number) => round(100 - (solved / top) * 100);
  const steps = points.map(({ cost, solved }) => `H${x(cost)}V${y(solved)}`);
  return `M0 100${steps.join('')}H100`;
}

/** A handful of round figures from 0 to at least the largest cost. */
export function costTicks(most: number): number[] {
  if (most <= 0) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
