import type { ReportFormat } from '../../contract/index.ts';
import { csvReport } from './csv-report.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json-report.ts';
import { markdownReport } from './markdown-report.ts';
import { reportData, type ReportData } from './report-data.ts';
import type { RunOnRecord } from './run-on-record.ts';

/** `html`: one file that loads nothing; `md`: for trackers; `json`: with a schema; `csv`: a line a cell. */
const FORMATS: Readonly<Record<ReportFormat, (data: ReportData) => Uint8Array>> = {
  html: htmlReport,
  md: markdownReport,
  json: jsonReport,
  csv: csvReport,
};

/** The report of a run. Takes a second or two for thousands of cells: not for a thread that people wait for. */
export function formatReport(
  run: RunOnRecord,
  { format, other = null }: { format: ReportFormat; other?: RunOnRecord | null },
): Uint8Array {
  return FORMATS[format](reportData(run, other));
}
