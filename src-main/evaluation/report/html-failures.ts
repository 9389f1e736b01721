import type { Ending, Outcome } from '../../contract/index.ts';
import { html, type Html } from '../../lib/index.ts';
import type { EntryReport } from './entry-report.ts';
import { dataTable, NOTHING } from './html-parts.ts';
import { count, percent } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { ENDING_WORDS, OUTCOME_WORDS, shortened, SUSPICION_WORDS } from './words.ts';

export function failureSection({ entries, labels }: ReportData): Html {
  return html`${entries.map(matrixTable)}
  ${dataTable(
    'Premature endings: the final answer came although nothing was changed, or nothing was run since the last change.',
    [['Entry'], ['Cells', 'num'], ['Share', 'num'], ['Of them solved', 'num']],
    entries.map(({ entry, premature, statistics }) => [
      entry.label,
      count(premature.cells),
      percent(premature.cells / statistics.runs.valid),
      count(premature.solved),
    ]),
  )}
  ${suspicionTable(entries)}
  ${
    labels.length === 0
      ? NOTHING
      : dataTable(
          'Labels that people gave.',
          [['Label'], ['Cells', 'num']],
          labels.map(({ label, cells }) => [shortened(label), count(cells)]),
        )
  }`;
}

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

function matrixTable(entry: EntryReport): Html {
  const { head, rows } = matrixOf(entry);
  if (rows.length === 0) return NOTHING;
  return html`<h3>${entry.entry.label}</h3>
    ${dataTable(
      'What became of the tests, by how the attempt ended; in cells.',
      [['Outcome'], ...head.map((name) => [name, 'num'] as const)],
      rows,
    )}`;
}

function suspicionTable(entries: readonly EntryReport[]): Html {
  const rows = entries.flatMap(({ entry, suspicions }) =>
    suspicions.map(({ kind, cells, solved }) => [
      entry.label,
      SUSPICION_WORDS[kind],
      count(cells),
      count(solved),
    ]),
  );
  return html`<h3>What looks like a way around the task</h3>
    ${
      rows.length === 0
        ? html`<p>
            Nothing: no tests weakened, no history searched, no verifier touched, no answer sought
            elsewhere.
          </p>`
        : dataTable(
            'Found by their form; the steps that show it are with each task below.',
            [['Entry'], ['Kind'], ['Cells', 'num'], ['Of them solved', 'num']],
            rows,
          )
    }`;
}
