import type { RunCell } from '../../contract/index.ts';
import { completeCell } from '../../evaluation/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { StoredCell } from '../../store/index.ts';
import type { Environment } from '../environment.ts';
import { createdOf } from './list.ts';
import type { CellChoice } from './types.ts';

/** Puts what a person says of a cell on record; see `Evaluations.label`. */
export async function labelCell(
  environment: Environment,
  idOrPrefix: string,
  { cell, said }: { cell: CellChoice; said: { label: string | null; note: string } },
): Promise<RunCell> {
  const { store } = environment;
  const { runId } = store.run(idOrPrefix);
  const { sessionId } = chosen(environment, runId, cell);
  store.append({ sessionId, attemptId: null, body: { type: 'cell.labelled', ...said } });
  const found = store.cell(sessionId);
  if (found === undefined) throw new Error(`the cell ${sessionId} is gone`);
  return completeCell(found);
}

function chosen(environment: Environment, runId: string, choice: CellChoice): StoredCell {
  const { entries } = createdOf(environment, runId);
  const { task, seed, entry } = choice;
  const cells = environment.store
    .cells(runId)
    .filter(
      (cell) =>
        cell.task === task &&
        (seed === undefined || cell.seed === seed) &&
        (entry === undefined || entries[cell.entry]?.label === entry),
    );
  const [only, ...more] = cells;
  if (only !== undefined && more.length === 0) return only;
  const which = `task ${task}${seed === undefined ? '' : `, seed ${seed}`}${entry === undefined ? '' : `, entry ${entry}`}`;
  throw new VivariumError(
    'usage',
    only === undefined
      ? `run ${runId} has no cell that began for ${which}`
      : `run ${runId} has ${cells.length} cells for ${which}`,
    only === undefined
      ? '`vivarium eval show` lists the cells of a run.'
      : `Say which with --seed and --entry; the entries are ${entries.map(({ label }) => label).join(', ')}.`,
  );
}
