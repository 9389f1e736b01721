import { inOutFolder, jsonFile } from '../../evaluation/index.ts';
import { checkRow, CUTOFF } from './check-row.ts';
import { datasetInfo } from './dataset-info.ts';
import { leaveOut } from './filters.ts';
import { TASK_GONE } from './reasons.ts';
import { lineOf, rowWriter } from './row-writer.ts';
import { trainRows } from './rows.ts';
import { countRow, newTally, reportOf, splitsOf } from './tally.ts';
import type {
  DryRunReport,
  DryRunRequest,
  TrainReport,
  TrainRequest,
  TrainSource,
} from './types.ts';

/**
 * Writes attempts of runs as training data into a new or empty folder: `train.jsonl`,
 * `validation.jsonl` where tasks are held out (folders of these names for `harbor` and `atif`),
 * `rows.jsonl` (where each row comes from, line by line) and LLaMA-Factory's `dataset_info.json`.
 * @throws VivariumError `nothing_to_export`, `out_unwritable`, `disk_full`, `store_failed`
 */
export async function exportTraining(
  sources: readonly TrainSource[],
  request: TrainRequest,
): Promise<TrainReport> {
  return inOutFolder(request.out, async (out) => {
    const splits = splitsOf(request);
    const write = await rowWriter(request.format, splits, out);
    const origins = await out.append(['rows.jsonl']);
    const tally = newTally();
    for (const row of trainRows(sources, request, tally.leftOut)) {
      request.signal?.throwIfAborted();
      const file = await write(row);
      if (file === null) {
        leaveOut(tally.leftOut, TASK_GONE, row.origins.length);
        continue;
      }
      await origins.write(lineOf({ file, attempts: row.origins }));
      countRow(tally, row);
    }
    const report = reportOf(tally, splits);
    const info = datasetInfo(request.format, splits);
    if (info !== null) await out.write(['dataset_info.json'], jsonFile(info));
    return { folder: out.folder, ...report };
  });
}

/**
 * What importers would make of each row of an export, by their rules: LLaMA-Factory's for
 * `sharegpt` and `openai`, TRL's for the others. Writes nothing; tokens are an estimate.
 * @throws VivariumError `nothing_to_export`, `store_failed`
 */
export function dryRunTraining(
  sources: readonly TrainSource[],
  request: DryRunRequest,
): DryRunReport {
  const tally = newTally();
  const checks: DryRunReport['checks'] = [];
  for (const row of trainRows(sources, request, tally.leftOut)) {
    request.signal?.throwIfAborted();
    countRow(tally, row);
    const check = checkRow(request.format, row.value, {
      cutoff: request.cutoff ?? CUTOFF,
      tokenizer: request.tokenizer,
    });
    const [{ task } = { task: '' }] = row.origins;
    checks.push({ file: `${row.split}.jsonl`, line: tally.rows[row.split], task, ...check });
  }
  return { ...reportOf(tally, splitsOf(request)), checks };
}
