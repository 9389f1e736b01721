import type { Grading } from '../../contract/index.ts';
import { leafTrajectory } from '../../fix/index.ts';
import { lenientText } from './text.ts';
import type { CellRecord, ExportSource } from './types.ts';

/** Evidence that is the output of the tests. */
const LOG = 'verifier.log';

/** The last try of a cell in Leaf's form, with what its runner adds after grading. */
export function leafRecord(record: CellRecord, source: ExportSource): Record<string, unknown> {
  const { cell, id, attemptId, number } = record;
  return {
    ...leafTrajectory(record.events, {
      ...{ instanceId: id, attemptId, seed: cell.seed },
      // JSON holds text: the exact bytes are in the file of the patch.
      patch: lenientText(record.patch),
    }),
    reward: cell.grading?.reward ?? null,
    test_output: testOutput(cell.grading, source),
    attempt: number,
  };
}

/** Output of the tests as the verdict was made from it; `null` when none ran. */
export function testOutput(
  grading: Grading | null,
  { store }: Pick<ExportSource, 'store'>,
): string | null {
  const blob = grading?.evidence[LOG];
  return blob === undefined ? null : lenientText(store.blob(blob));
}
