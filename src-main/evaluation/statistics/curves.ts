import type { RunCell } from '../../contract/index.ts';
import { isValid } from './entry.ts';

/** At most `cost` were spent on a share `solved` of all valid runs that were solved within it. */
export interface CurvePoint {
  cost: number;
  solved: number;
}

export const COSTS = {
  steps: (cell: RunCell) => cell.steps,
  tokens: ({ tokens }: RunCell) =>
    tokens.prompt === null && tokens.completion === null
      ? null
      : (tokens.prompt ?? 0) + (tokens.completion ?? 0),
  minutes: ({ seconds }: RunCell) => seconds.total / 60,
} satisfies Record<string, (cell: RunCell) => number | null>;

/** A staircase: one point for each solved run, by rising cost. */
export function costCurve(
  cells: readonly RunCell[],
  costOf: (cell: RunCell) => number | null,
): CurvePoint[] {
  const valid = cells.filter(isValid);
  const costs = valid
    .filter(({ resolved }) => resolved)
    .map(costOf)
    .filter((cost) => cost !== null)
    .toSorted((a, b) => a - b);
  return costs.map((cost, at) => ({ cost, solved: (at + 1) / valid.length }));
}
