import type { SessionQuery, SessionRow } from '../../../src-main/contract/index.ts';
import { ageGroup } from '../../format.ts';

export type ListGroup = 'running' | 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'rest';

/** What a line of the list shows. `gap` = a row that is not read yet. */
export type ListLine =
  | { kind: 'group'; group: ListGroup }
  | { kind: 'row'; row: SessionRow }
  | { kind: 'gap'; index: number };

export interface Arrangement {
  /** Rows of the query by their place; `undefined` where they are not read yet. */
  rows: ReadonlyArray<SessionRow | undefined>;
  /** Shown in a group of their own above the others, wherever the order has them. */
  running: readonly SessionRow[];
  sort: SessionQuery['sort'];
  now: number;
}

/** Lines of the list: rows in the core's order with headings where a new group begins. */
export function arrangeRows({ rows, running, sort, now }: Arrangement): ListLine[] {
  const lines: ListLine[] = [];
  const above = new Set(running.map(({ sessionId }) => sessionId));
  let group: ListGroup | null = null;
  const add = (row: SessionRow, own: ListGroup) => {
    if (own !== group) lines.push({ kind: 'group', group: own });
    group = own;
    lines.push({ kind: 'row', row });
  };
  for (const row of running) add(row, 'running');
  for (const [index, row] of rows.entries()) {
    if (row === undefined) lines.push({ kind: 'gap', index });
    else if (!above.has(row.sessionId)) add(row, groupOf(row, sort, now));
  }
  return lines;
}

function groupOf(row: SessionRow, sort: SessionQuery['sort'], now: number): ListGroup {
  if (row.pinned) return 'pinned';
  if (sort === 'newest') return ageGroup(row.createdAt, now);
  return sort === 'updated' ? ageGroup(row.updatedAt, now) : 'rest';
}

/** Pages that hold the rows from `first` to `last`, by number. */
export function pagesFor(first: number, last: number, pageSize: number, total: number): number[] {
  const end = Math.max(0, Math.min(last, total - 1));
  const from = Math.floor(Math.max(0, Math.min(first, end)) / pageSize);
  const to = Math.floor(end / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
