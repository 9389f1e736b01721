import type { Ending, Outcome } from '../../contract/index.ts';
import type { EntryReport } from './entry-report.ts';
import { count } from './numbers.ts';
import { ENDING_WORDS, OUTCOME_WORDS } from './words.ts';

/** Outcomes by endings, in the order of the words; rows and columns without a cell are left out. */
export function matrixOf({ matrix }: EntryReport): { head: string[]; rows: string[][] } {
  const outcomes: (Outcome | null)[] = [...(Object.keys(OUTCOME_WORDS) as Outcome[]), null];
  const endings: (Ending | null)[] = [...(Object.keys(ENDING_WORDS) as Ending[]), null];
  const at = (outcome: Outcome | null, ending: Ending | null) =>
    matrix.find((one) => one.outcome === outcome && one.ending === ending)?.cells ?? 0;
  const columns = endings.filter((ending) => matrix.some((one) => one.ending === ending));
  const rows = outcomes.filter((outcome) => matrix.some((one) => one.outcome === outcome));
  return {
    head: [
      ...columns.map((ending) => (ending === null ? 'not ended' : ENDING_WORDS[ending])),
      'all',
    ],
    rows: rows.map((outcome) => {
      const counts = columns.map((ending) => at(outcome, ending));
      const all = counts.reduce((sum, one) => sum + one, 0);
      const shown = counts.map((one) => (one === 0 ? '·' : count(one)));
      return [outcome === null ? 'no verdict' : OUTCOME_WORDS[outcome], ...shown, count(all)];
    }),
  };
}
