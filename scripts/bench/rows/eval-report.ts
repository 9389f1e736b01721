import { formatReport } from '../../../src-main/evaluation/index.ts';
import { generatedRun } from '../../../src-main/evaluation/report/sample-run.ts';
import { series, single, type Row } from '../row.ts';

const REPEATS = 3;
const MB = 1e6;

const SIZES = [
  { labels: ['FrogNano-4B-Q8_0 x leaf'], cells: '1,500' },
  {
    labels: ['leaf', 'r2egym'].flatMap((scaffold) => [`a x ${scaffold}`, `b x ${scaffold}`]),
    cells: '6,000',
  },
];

/** From the cells of a run as the store gives them to the page, figures included. */
export async function measure(): Promise<Row[]> {
  return SIZES.flatMap(({ labels, cells }, at) => {
    const run = generatedRun({ tasks: 500, seeds: 3, labels });
    const times: number[] = [];
    let bytes = 0;
    for (let n = 0; n < REPEATS; n += 1) {
      const started = performance.now();
      bytes = formatReport(run, { format: 'html' }).length;
      times.push((performance.now() - started) / 1000);
    }
    const isAsked = at === 0;
    const time = isAsked ? { p95: 5, text: '< 5 s' } : null;
    const size = isAsked ? { p95: 3, text: '< 3 MB' } : null;
    return [
      series(`report of ${cells} cells`, 's', times, time),
      single(`report of ${cells} cells, its page`, 'MB', bytes / MB, size),
    ];
  });
}
