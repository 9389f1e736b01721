import { inOutFolder, jsonText, type OutFile } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { datasetInfo } from './dataset-info.ts';
import { trainRows } from './rows.ts';
import type { LeftOut, Split, TrainReport, TrainRequest, TrainRow, TrainSource } from './types.ts';

/**
 * Writes attempts of runs as training data into a new or empty folder: `train.jsonl`,
 * `validation.jsonl` where tasks are held out, `rows.jsonl` (where each row comes from, line by
 * line) and LLaMA-Factory's `dataset_info.json`.
 * @throws VivariumError `nothing_to_export`, `out_unwritable`, `disk_full`, `store_failed`
 */
export async function exportTraining(
  sources: readonly TrainSource[],
  request: TrainRequest,
): Promise<TrainReport> {
  return inOutFolder(request.out, async (out) => {
    const splits: Split[] = (request.validation ?? 0) > 0 ? ['train', 'validation'] : ['train'];
    const files = new Map<Split, OutFile>();
    for (const split of splits) files.set(split, await out.append([`${split}.jsonl`]));
    const origins = await out.append(['rows.jsonl']);
    const tally = newTally();
    for (const row of trainRows(sources, request, tally.leftOut)) {
      request.signal?.throwIfAborted();
      await files.get(row.split)?.write(lineOf(row.value));
      await origins.write(lineOf({ file: `${row.split}.jsonl`, attempts: row.origins }));
      count(tally, row);
    }
    refuseEmpty(tally);
    const info = datasetInfo(request.format, splits);
    if (info !== null) {
      await out.write(['dataset_info.json'], Buffer.from(`${jsonText(info, 2)}\n`));
    }
    return { folder: out.folder, ...reportOf(tally, splits) };
  });
}

interface Tally {
  leftOut: LeftOut;
  rows: Record<Split, number>;
  tasks: Record<Split, Set<string>>;
}

function newTally(): Tally {
  return {
    leftOut: new Map(),
    rows: { train: 0, validation: 0 },
    tasks: { train: new Set(), validation: new Set() },
  };
}

function count({ rows, tasks }: Tally, { split, origins }: TrainRow): void {
  rows[split] += 1;
  for (const { task } of origins) tasks[split].add(task);
}

function reportOf({ leftOut, rows, tasks }: Tally, splits: readonly Split[]) {
  const empty = splits.filter((split) => rows[split] === 0);
  return {
    rows,
    tasks: { train: tasks.train.size, validation: tasks.validation.size },
    leftOut: [...leftOut].map(([reason, attempts]) => ({ reason, attempts })),
    notes: empty.map((split) => `no task was drawn for ${split}.jsonl: it is empty`),
  };
}

function refuseEmpty({ rows, leftOut }: Tally): void {
  if (rows.train + rows.validation > 0) return;
  const reasons = [...leftOut].map(([reason, attempts]) => `${attempts} ${reason}`).join(', ');
  throw new VivariumError(
    'nothing_to_export',
    `no attempt is left for a row: ${reasons === '' ? 'the runs have none' : reasons}`,
    'Loosen the filters, or name runs with more attempts.',
  );
}

/** Readers that take these characters for ends of lines must not see them. */
function lineOf(value: unknown): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${jsonText(value).replaceAll(/[\u0085\u2028\u2029]/g, escaped)}\n`;
}
