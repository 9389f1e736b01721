import type { SessionRow } from '../../src-main/contract/index.ts';
import { ageGroup } from '../format.ts';

export type RowGroup = 'pinned' | 'running' | 'today' | 'yesterday' | 'week' | 'older';

const ORDER: readonly RowGroup[] = ['running', 'pinned', 'today', 'yesterday', 'week', 'older'];

type GroupedRow = Pick<SessionRow, 'state' | 'pinned' | 'updatedAt'>;

/** Rows by what makes them worth a look; the order within a group is the list's. */
export function groupRows<Row extends GroupedRow>(
  rows: readonly Row[],
  now: number,
): Array<{ group: RowGroup; rows: Row[] }> {
  const groups = Map.groupBy(rows, (row) => groupOf(row, now));
  return ORDER.flatMap((group) => {
    const own = groups.get(group);
    return own === undefined ? [] : [{ group, rows: own }];
  });
}

function groupOf({ state, pinned, updatedAt }: GroupedRow, now: number): RowGroup {
  if (state === 'running') return 'running';
  return pinned ? 'pinned' : ageGroup(updatedAt, now);
}
