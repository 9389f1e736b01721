import type { RunCell } from '../../contract/index.ts';
import {
  copyFilter,
  duplicateFilter,
  leaveOut,
  reasonOfCell,
  reasonOfLength,
  saidKey,
  type Told,
} from './filters.ts';
import { pairRows } from './preference-rows.ts';
import { readTrajectory } from './recorded.ts';
import { formOf, rowOf } from './row-of.ts';
import { saysBesideCalls } from './sharegpt-row.ts';
import { families, sideOf } from './split.ts';
import { COPIED, DUPLICATE, OVER_CAP, SAID_NOTHING } from './reasons.ts';
import type { LeftOut, Split, Trajectory, TrainRequest, TrainRow, TrainSource } from './types.ts';

type Asked = Omit<TrainRequest, 'out'>;

interface Candidate {
  source: TrainSource;
  cell: RunCell;
}

/** All rows of an export, one task after the other; `leftOut` counts what is in none. */
export function* trainRows(
  sources: readonly TrainSource[],
  request: Asked,
  leftOut: LeftOut,
): Generator<TrainRow> {
  const isDuplicate = duplicateFilter();
  for (const [family, candidates] of candidatesByFamily(sources, request, leftOut)) {
    const split = sideOf(family, request.validation ?? 0, request.splitSeed ?? 0);
    const all = trajectories(candidates, request, leftOut);
    // What was said twice is learned once, but each attempt counts in a pass rate.
    const attempts =
      request.format === 'harbor'
        ? all
        : saidOnce(all, { isDuplicate, isCopy: copiesAmong(candidates, request), leftOut });
    yield* rowsOfTask(attempts, split, request, leftOut);
  }
}

function candidatesByFamily(
  sources: readonly TrainSource[],
  { format, filters: asked = {} }: Asked,
  leftOut: LeftOut,
): Map<string, Candidate[]> {
  // What failed is one side of each comparison.
  const filters = format === 'preference' ? { ...asked, unsolved: true } : asked;
  const familyOf = families(sources.flatMap(({ created }) => created.tasks));
  const found = new Map<string, Candidate[]>();
  for (const source of sources) {
    const hashes = new Map(source.created.tasks.map(({ name, hash }) => [name, hash]));
    for (const cell of source.cells) {
      const reason = reasonOfCell(cell, filters);
      if (reason !== null) {
        leaveOut(leftOut, reason);
        continue;
      }
      const family = familyOf({ name: cell.task, hash: hashes.get(cell.task) ?? '' });
      const same = found.get(family) ?? [];
      same.push({ source, cell });
      found.set(family, same);
    }
  }
  return found;
}

/** Read one at a time, so that an export needs little memory. */
function* trajectories(
  candidates: readonly Candidate[],
  { filters = {} }: Asked,
  leftOut: LeftOut,
): Generator<Trajectory> {
  for (const { source, cell } of candidates) {
    const one = readTrajectory(source, cell);
    if (one === null) leaveOut(leftOut, SAID_NOTHING);
    else yield* filtered([one], leftOut, () => reasonOfLength(one, filters));
  }
}

function* filtered(
  attempts: Iterable<Trajectory>,
  leftOut: LeftOut,
  reasonOf: (one: Trajectory) => string | null,
): Generator<Trajectory> {
  for (const one of attempts) {
    const reason = reasonOf(one);
    if (reason === null) yield one;
    else leaveOut(leftOut, reason);
  }
}

/** They are read once more for it, unless there is but one. */
function copiesAmong(candidates: readonly Candidate[], request: Asked): Told {
  if (candidates.length === 1) return () => false;
  return copyFilter(trajectories(candidates, request, new Map()));
}

function saidOnce(
  attempts: Iterable<Trajectory>,
  { isDuplicate, isCopy, leftOut }: { isDuplicate: Told; isCopy: Told; leftOut: LeftOut },
): Generator<Trajectory> {
  return filtered(attempts, leftOut, (one) => {
    const key = saidKey(one);
    return isDuplicate(one, key) ? DUPLICATE : isCopy(one, key) ? COPIED : null;
  });
}

function* rowsOfTask(
  attempts: Iterable<Trajectory>,
  split: Split,
  request: Asked,
  leftOut: LeftOut,
): Generator<TrainRow> {
  const cap = request.filters?.cap ?? Infinity;
  if (request.format === 'preference' && request.unpaired !== true) {
    const pairs = pairRows(attempts, { form: formOf(request), cap, leftOut });
    for (const pair of pairs) yield { split, dropped: 0, attempt: null, ...pair };
    return;
  }
  let rows = 0;
  for (const attempt of attempts) {
    const made = rows < cap ? rowOf(attempt, request) : { why: OVER_CAP };
    if ('why' in made) {
      leaveOut(leftOut, made.why);
      continue;
    }
    rows += 1;
    const dropped = droppedOf(attempt, request);
    yield { split, value: made.value, origins: [attempt.origin], attempt, dropped };
  }
}

function droppedOf({ messages }: Trajectory, { format }: Asked): number {
  return format === 'sharegpt' ? messages.filter(saysBesideCalls).length : 0;
}
