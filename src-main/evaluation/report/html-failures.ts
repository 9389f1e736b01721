import { html, type Html } from '../../lib/index.ts';
import type { EntryReport } from './entry-report.ts';
import { matrixOf } from './failure-matrix.ts';
import { dataTable, NOTHING } from './html-parts.ts';
import { count, percent } from './numbers.ts';
import type { ReportData } from './report-data.ts';
import { shortened, SUSPICION_WORDS } from './words.ts';

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
