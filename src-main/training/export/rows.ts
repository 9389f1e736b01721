import type { RunCell } from '../../contract/index.ts';
import { atifTrajectory } from '../../evaluation/index.ts';
import { resultOf } from './harbor-result.ts';
import { leaveOut, reasonOfCell, trajectoryFilter } from './filters.ts';
import { openAiRow } from './openai-row.ts';
import { labelledRow, NOT_JSON, OVER_CAP, pairRows } from './preference-rows.ts';
import { readTrajectory } from './recorded.ts';
import { saysBesideCalls, sharegptRow } from './sharegpt-row.ts';
import { families, sideOf } from './split.ts';
import { trlRow, type TrlForm } from './trl-row.ts';
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
  const reasonOf = trajectoryFilter(request.filters ?? {});
  for (const [family, candidates] of candidatesByFamily(sources, request, leftOut)) {
    const split = sideOf(family, request.validation ?? 0, request.splitSeed ?? 0);
    yield* rowsOfTask(trajectories(candidates, reasonOf, leftOut), split, request, leftOut);
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
    const value = rows < cap ? rowOf(attempt, request) : null;
    if (value === null) {
      leaveOut(leftOut, rows < cap ? NOT_JSON : OVER_CAP);
      continue;
    }
    rows += 1;
    const dropped = droppedOf(attempt, request);
    yield { split, value, origins: [attempt.origin], attempt, dropped };
  }
}

function rowOf(attempt: Trajectory, request: Asked): Record<string, unknown> | null {
  switch (request.format) {
    case 'openai':
      return openAiRow(attempt);
    case 'sharegpt':
      return sharegptRow(attempt);
    case 'trl':
      return trlRow(attempt, formOf(request));
    case 'preference':
      return labelledRow(attempt, formOf(request));
    case 'atif':
      return { ...atifTrajectory(attempt.source, attempt.record) };
    case 'harbor':
      return resultOf(attempt);
  }
}

function droppedOf({ messages }: Trajectory, { format }: Asked): number {
  return format === 'sharegpt' ? messages.filter(saysBesideCalls).length : 0;
}

function formOf({ toolsAsText }: Asked): TrlForm {
  return { toolsAsText: toolsAsText === true };
}
