import { expect, it } from 'vitest';
import type { SessionRow } from '../../src-main/contract/index.ts';
import { groupRows } from './group-rows.ts';

const NOW = new Date(2026, 10, 29, 15, 0, 0).getTime();
const DAY_MS = 86_400_000;
const row = (state: SessionRow['state'], days: number, pinned = false) => ({
  state,
  pinned,
  updatedAt: NOW - days * DAY_MS,
});

it('puts running sessions first, then pinned ones, then the rest by age', () => {
  const rows = [
    row('verified', 0),
    row('running', 9, true),
    row('failed', 1),
    row('patched', 30, true),
    row('no_patch', 3),
    row('patched', 0),
    row('cancelled', 8),
  ];
  const groups = groupRows(rows, NOW).map(({ group, rows: own }) => [
    group,
    own.map(({ state }) => state),
  ]);
  expect(groups).toEqual([
    ['running', ['running']],
    ['pinned', ['patched']],
    ['today', ['verified', 'patched']],
    ['yesterday', ['failed']],
    ['week', ['no_patch']],
    ['older', ['cancelled']],
  ]);
  expect(groupRows([], NOW)).toEqual([]);
});
