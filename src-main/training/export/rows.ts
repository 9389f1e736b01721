import type { RunCell } from '../../contract/index.ts';
import { leaveOut, reasonOfCell, trajectoryFilter } from './filters.ts';
import { openAiRow } from './openai-row.ts';
import { readTrajectory } from './recorded.ts';
import { sharegptRow } from './sharegpt-row.ts';
import { families, sideOf } from './split.ts';
import type { LeftOut, Split, Trajectory, TrainRequest, TrainRow, TrainSource } from './types.ts';

interface Candidate {
  source: TrainSource;
  cell: RunCell;
}

const NOT_JSON = 'a call whose arguments are no JSON object';

/** All rows of an export, one task after the other; `leftOut` counts what is in none. */
export function* trainRows(
  sources: readonly TrainSource[],
  request: TrainRequest,
  leftOut: LeftOut,
): Generator<TrainRow> {
  const reasonOf = trajectoryFilter(request.filters ?? {});
  for (const [family, candidates] of candidatesByFamily(sources, request, leftOut)) {
    const split = sideOf(family, request.validation ?? 0, request.splitSeed ?? 0);
    yield* rowsOfTask(trajectories(candidates, reasonOf, leftOut), split, request, leftOut);
  }
}

function candidatesByFamily(
  sources: readonly TrainSource[],
  { filters = {} }: TrainRequest,
  leftOut: LeftOut,
): Map<string, Candidate[]> {
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
      found.set(family, [...(found.get(family) ?? []), { source, cell }]);
    }
  }
  return found;
}

/** Read one at a time, so that an export needs little memory. */
function* trajectories(
  candidates: readonly Candidate[],
  reasonOf: (one: Trajectory) => string | null,
  leftOut: LeftOut,
): Generator<Trajectory> {
  for (const { source, cell } of candidates) {
    const one = readTrajectory(source, cell);
    const reason = one === null ? 'the model said nothing' : reasonOf(one);
    if (one !== null && reason === null) yield one;
    else leaveOut(leftOut, reason ?? '');
  }
}

function* rowsOfTask(
  attempts: Iterable<Trajectory>,
  split: Split,
  { format, filters = {} }: TrainRequest,
  leftOut: LeftOut,
): Generator<TrainRow> {
  let rows = 0;
  for (const attempt of attempts) {
    if (rows >= (filters.cap ?? Infinity)) {
      leaveOut(leftOut, 'over the cap of its task');
      continue;
    }
    const value = format === 'openai' ? openAiRow(attempt) : sharegptRow(attempt);
    if (value === null) {
      leaveOut(leftOut, NOT_JSON);
      continue;
    }
    rows += 1;
    yield { split, value, origins: [attempt.origin] };
  }
}
