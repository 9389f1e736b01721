import { csvReport } from './csv-report.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json-report.ts';
import { markdownReport } from './markdown-report.ts';
import { reportData, type RunOnRecord } from './report-data.ts';

const FORMATS = {
  html: { write: htmlReport, mime: 'text/html' },
  md: { write: markdownReport, mime: 'text/markdown' },
  json: { write: jsonReport, mime: 'application/json' },
  csv: { write: csvReport, mime: 'text/csv' },
} as const;

/** `html`: one file that loads nothing; `md`: for trackers; `json`: with a schema; `csv`: a line a cell. */
export type ReportFormat = keyof typeof FORMATS;

export const REPORT_MIME: Readonly<Record<ReportFormat, string>> = {
  html: FORMATS.html.mime,
  md: FORMATS.md.mime,
  json: FORMATS.json.mime,
  csv: FORMATS.csv.mime,
};

/** The report of a run. Takes a second or two for thousands of cells: not for a thread that people wait for. */
export function formatReport(
  run: RunOnRecord,
  { format, other = null }: { format: ReportFormat; other?: RunOnRecord | null },
): Uint8Array {
  return FORMATS[format].write(reportData(run, other));
}
