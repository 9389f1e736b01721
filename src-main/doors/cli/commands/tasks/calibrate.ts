import path from 'node:path';
import type { CalibrateAsked, CalibrationReport } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError } from '../../failure.ts';
import { outFolder } from '../../out-folder.ts';
import { watchEval } from '../../progress/eval-watch.ts';
import { renderCalibration } from '../../render/calibration.ts';
import { jsonText } from '../../render/safe-text.ts';
import { renderRefused } from '../../render/tasks.ts';
import { withCore } from '../../with-core.ts';

export interface CalibrateOptions extends Pick<
  CalibrateAsked,
  'scaffold' | 'probes' | 'maxProbes' | 'band' | 'classShare' | 'out' | 'page' | 'workers'
> {
  model?: string;
  keepUnsolved?: number;
  json?: boolean;
}

const NEXT = 'What was done until then is kept; run the command again for the rest.';

/** `vivarium tasks calibrate`: 1 when some tasks lack their probes. */
export async function calibrateTasks(
  console: Console,
  folder: string,
  { json, keepUnsolved, ...options }: CalibrateOptions,
): Promise<number> {
  const hint = 'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE.';
  const model = required(options.model, 'there is no model to probe', hint);
  if (options.page !== undefined) outFolder(path.dirname(path.resolve(options.page)));
  const report = await probe(console, {
    ...options,
    ...{ model, folder: path.resolve(folder), unsolvedShare: keepUnsolved },
  });
  if (json) console.out(jsonText(report));
  else {
    console.out(renderCalibration(report, console.outColumns()));
    const refused = report.refused.map((one) => ({ id: path.basename(one.folder), ...one }));
    console.err(renderRefused(refused));
  }
  return report.tasks.some(({ why }) => why === 'not_probed') ? 1 : 0;
}

async function probe(console: Console, asked: CalibrateAsked): Promise<CalibrationReport> {
  const shown = watchEval(console);
  const watch = {
    onProgress: shown.onProgress,
    onPhase: shown.say,
    onNote: (text: string) => shown.say(`note: ${text}`),
    onRecorded: (id: string) => shown.say(`run ${id}`),
  };
  try {
    return await withCore(
      console,
      async ({ core, signal }) => {
        try {
          return await core.synthesis.calibrate({ ...asked, signal, watch });
        } catch (error) {
          throw signal.aborted ? stoppedError(NEXT, error) : error;
        }
      },
      { onStop: () => shown.say('stopping; Ctrl-C again ends at once'), onKill: shown.end },
    );
  } finally {
    shown.end();
  }
}
