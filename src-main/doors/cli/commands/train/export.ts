import type {
  Core,
  DryRunReport,
  RowFormat,
  TrainFormat,
  TrainReport,
  TrainRequest,
} from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError, usageError } from '../../failure.ts';
import { outFolder } from '../../out-folder.ts';
import { plural } from '../../render/format.ts';
import { jsonText, oneLine, pathText } from '../../render/safe-text.ts';
import { withCore } from '../../with-core.ts';

export interface ExportTrainOptions {
  format?: TrainFormat;
  out?: string;
  unsolved?: boolean;
  suspicious?: boolean;
  maxMessages?: number;
  cap?: number;
  entry?: number;
  seeds?: number[];
  validation?: number;
  splitSeed?: number;
  toolsJson?: boolean;
  tokenizer?: string;
  unpaired?: boolean;
  dryRun?: boolean;
  cutoff?: number;
  json?: boolean;
}

/** `vivarium train export`: where the rows lie; what is in none goes to stderr, counted by why. */
export async function exportTrain(
  console: Console,
  runs: readonly string[],
  options: ExportTrainOptions,
): Promise<number> {
  const work = workOf(runs, options);
  const report = await withCore(
    console,
    async ({ core, signal }) => {
      try {
        return await work(core, signal);
      } catch (thrown) {
        const next = 'Run the command again; the files it had written are removed.';
        throw signal.aborted ? stoppedError(next, thrown) : thrown;
      }
    },
    { onStop: () => console.err('stopping\n'), onKill: () => undefined },
  );
  for (const { reason, attempts } of report.leftOut) {
    console.err(`left out: ${plural(attempts, 'attempt')}: ${oneLine(reason)}\n`);
  }
  for (const note of report.notes) console.err(`${oneLine(note)}\n`);
  console.out(options.json ? jsonText(report) : linesOf(report));
  return 0;
}

type Report = TrainReport | DryRunReport;
type Work = (core: Core, signal: AbortSignal) => Promise<Report>;

function workOf(runs: readonly string[], options: ExportTrainOptions): Work {
  const { dryRun, cutoff } = options;
  const request = requestOf(options);
  if (dryRun === true) {
    const { format, ...rest } = request;
    if (!isOfRows(format)) {
      throw wrongForm('--dry-run is for forms that an importer reads row by row');
    }
    return (core, signal) => core.training.dryRun(runs, { ...rest, format, cutoff, signal });
  }
  if (cutoff !== undefined) {
    throw usageError('--cutoff goes with --dry-run', 'Leave it out: an export cuts nothing.');
  }
  const out = required(
    options.out,
    'there is no folder to write to',
    'Name a new or an empty one with --out.',
  );
  const folder = outFolder(out);
  return (core, signal) => core.training.export(runs, { ...request, out: folder, signal });
}

function requestOf(options: ExportTrainOptions): Omit<TrainRequest, 'out'> {
  const { unsolved, suspicious, maxMessages, cap, entry, seeds, validation, splitSeed } = options;
  const { toolsJson: toolsAsText, unpaired, tokenizer, dryRun } = options;
  // Commander lets none but these through.
  const format = required(
    options.format,
    'there is no form to export',
    'Name one with --format; `vivarium train export --help` lists them.',
  ) as TrainFormat;
  if (toolsAsText === true && (!isOfRows(format) || format === 'sharegpt')) {
    throw wrongForm('--tools-json is for openai, trl and preference');
  }
  if (unpaired === true && format !== 'preference') {
    throw wrongForm('--unpaired is for preference');
  }
  const hasTokens = isOfRows(format) && (format !== 'preference' || dryRun === true);
  if (tokenizer !== undefined && !hasTokens) {
    throw wrongForm('--tokenizer is for sharegpt, openai and trl, or for a dry run of preference');
  }
  const entries = entry === undefined ? undefined : [entry];
  return {
    ...{ format, toolsAsText, unpaired, validation, splitSeed, tokenizer },
    filters: { unsolved, suspicious, maxMessages, cap, entries, seeds },
  };
}

function isOfRows(format: TrainFormat): format is RowFormat {
  return format !== 'harbor' && format !== 'atif';
}

function wrongForm(message: string): Error {
  return usageError(message, 'Leave it out, or change --format.');
}

function linesOf(report: Report): string {
  if ('checks' in report) return report.checks.map(checkLines).join('') + totals(report);
  return `${pathText(report.folder)}: ${totals(report)}`;
}

function totals({ rows, tasks }: Report): string {
  const train = `${plural(rows.train, 'row')} of ${plural(tasks.train, 'task')}`;
  const held = `${plural(rows.validation, 'row')} of ${plural(tasks.validation, 'task')}`;
  const more = rows.validation === 0 ? '' : `, for validation ${held}`;
  return `${train}${more}\n`;
}

function checkLines(check: DryRunReport['checks'][number]): string {
  const { file, line, task, verdict, tokens, isEstimate, learned, masked, cut, notes } = check;
  const counts = `${isEstimate ? '~' : ''}${tokens} tokens: ${learned} replies, ${masked} read only, ${cut} cut`;
  const said = notes.map((note) => `  ${oneLine(note)}\n`).join('');
  return `${file}:${line} ${oneLine(task)}: ${verdict}; ${counts}\n${said}`;
}
