import type { SynthProgress, SynthReport } from '../../../core/index.ts';
import { oneLine } from './safe-text.ts';
import { renderTable } from './table.ts';

/** Lines for stderr. */
export function renderSynthProgress(progress: SynthProgress): string {
  if (progress.kind === 'phase') return `${oneLine(progress.text)}\n`;
  if (progress.kind === 'baseline') {
    const { steady, flaky, coveredFiles } = progress;
    const lines = [
      `${steady} tests pass every time without a bug; ` +
        (coveredFiles === null
          ? 'which lines they run is not known'
          : `they run lines of ${coveredFiles} files`),
      ...flaky.map((name) => `flaky, on no list: ${oneLine(name)}`),
    ];
    return `${lines.join('\n')}\n`;
  }
  const { tried, validated, target } = progress;
  const end =
    tried.task ?? `${tried.refusal ?? ''}${tried.detail === '' ? '' : `: ${tried.detail}`}`;
  return `${validated} of ${target}  ${tried.generator} ${oneLine(tried.method)}: ${oneLine(end)}\n`;
}

/** What came of all candidates. */
export function renderSynth(report: SynthReport, columns: number | null): string {
  const share = (part: number, of: number) =>
    of === 0 ? '-' : `${Math.round((100 * part) / of)} %`;
  const rows = report.byMethod.map(({ generator, method, tried, validated }) => [
    generator,
    oneLine(method),
    String(tried),
    String(validated),
    share(validated, tried),
  ]);
  const table = renderTable(['GENERATOR', 'METHOD', 'TRIED', 'VALID', 'SHARE'], rows, columns);
  const refused = report.refusals.map(({ refusal, count }) => `${refusal} ${count}`).join(', ');
  const lines = [
    `${report.validated} valid tasks of ${report.tried} candidates (target ${report.target})`,
    ...(refused === '' ? [] : [`refused: ${refused}`]),
    `${report.seconds.toFixed(1)} s with ${report.workers} workers, ${share(report.testShare, 1)} of it in tests; ` +
      `${report.tasksAnHourPerWorker.toFixed(1)} tasks an hour per worker`,
  ];
  return `${table}\n${lines.join('\n')}\n`;
}
