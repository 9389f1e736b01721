import { VivariumError } from '../../lib/index.ts';
import type { LeftOut, Split, TrainReport, TrainRow } from './types.ts';

/** Counts of an export while it is made. */
export interface Tally {
  leftOut: LeftOut;
  rows: Record<Split, number>;
  tasks: Record<Split, Set<string>>;
  /** Replies whose text beside calls the form has no place for. */
  dropped: number;
}

export function newTally(): Tally {
  return {
    leftOut: new Map(),
    rows: { train: 0, validation: 0 },
    tasks: { train: new Set(), validation: new Set() },
    dropped: 0,
  };
}

export function countRow(tally: Tally, { split, origins, dropped }: TrainRow): void {
  tally.rows[split] += 1;
  tally.dropped += dropped;
  for (const { task } of origins) tally.tasks[split].add(task);
}

/** @throws VivariumError `nothing_to_export` */
export function reportOf(
  { leftOut, rows, tasks, dropped }: Tally,
  splits: readonly Split[],
): Omit<TrainReport, 'folder'> {
  refuseEmpty(rows, leftOut);
  const empty = splits.filter((split) => rows[split] === 0);
  return {
    rows,
    tasks: { train: tasks.train.size, validation: tasks.validation.size },
    leftOut: [...leftOut].map(([reason, attempts]) => ({ reason, attempts })),
    notes: [
      ...empty.map((split) => `no task was drawn for ${split}: it is empty`),
      ...(dropped === 0
        ? []
        : [`text beside calls has no place in this form and is left out; replies: ${dropped}`]),
    ],
  };
}

/** The files of an export. */
export function splitsOf({ validation = 0 }: { validation?: number | undefined }): Split[] {
  return validation > 0 ? ['train', 'validation'] : ['train'];
}

function refuseEmpty(rows: Record<Split, number>, leftOut: LeftOut): void {
  if (rows.train + rows.validation > 0) return;
  const reasons = [...leftOut].map(([reason, attempts]) => `${attempts} ${reason}`).join(', ');
  throw new VivariumError(
    'nothing_to_export',
    `no attempt is left for a row: ${reasons === '' ? 'the runs have none' : reasons}`,
    'Loosen the filters, or name runs with more attempts.',
  );
}
