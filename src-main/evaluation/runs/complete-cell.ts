import type { RunCell } from '../../contract/index.ts';
import type { StoredCell } from '../../store/index.ts';
import { endingOf } from '../analysis/ending.ts';
import { outcomeOf } from '../analysis/outcome.ts';

/** A cell of the record with what it came to. */
export function completeCell(cell: StoredCell): RunCell {
  return {
    ...cell,
    // A session that ended without any verdict says nothing of the model either.
    outcome: cell.state === 'infra' ? 'infra' : outcomeOf(cell.grading, cell.patch),
    ending: endingOf(cell.exitReason),
  };
}
