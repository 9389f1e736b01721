import path from 'node:path';
import type { CalibrateAsked, CalibrationReport, SynthProgress } from '../../../../core/index.ts';
import type { Console } from '../../console.ts';
import { required, stoppedError } from '../../failure.ts';
import { outFolder } from '../../out-folder.ts';
import { watchEval } from '../../progress/eval-watch.ts';
import { renderCalibration } from '../../render/calibration.ts';
import { jsonText } from '../../render/safe-text.ts';
import { renderSynthProgress } from '../../render/synth.ts';
import { renderRefused } from '../../render/tasks.ts';
import { withCore } from '../../with-core.ts';

export interface CalibrateOptions extends Pick<
  CalibrateAsked,
  'scaffold' | 'probes' | 'maxProbes' | 'band' | 'classShare' | 'out' | 'page' | 'workers'
> {
  model?: string;
  keepUnsolved?: number;
  iterate?: number | undefined;
  repo?: string | undefined;
  more?: number | undefined;
  json?: boolean;
}

const NEXT = 'What was done until then is kept; run the command again for the rest.';

/** `vivarium tasks calibrate`: 1 when some tasks lack their probes. */
export async function calibrateTasks(
  console: Console,
  folder: string,
  { json, keepUnsolved, iterate, repo, more, ...options }: CalibrateOptions,
): Promise<number> {
  const hint = 'Name one with --model: a name of `vivarium models list`, gguf:FILE, script:FILE.';
  const model = required(options.model, 'there is no model to probe', hint);
  const rounds = roundsOf({ iterate, repo, more });
  if (options.page !== undefined) outFolder(path.dirname(path.resolve(options.page)));
  const report = await probe(console, {
    ...options,
    ...{ model, folder: path.resolve(folder), unsolvedShare: keepUnsolved, rounds },
  });
  if (json) console.out(jsonText(report));
  else {
    console.out(renderCalibration(report, console.outColumns()));
    const refused = report.refused.map((one) => ({ id: path.basename(one.folder), ...one }));
    console.err(renderRefused(refused));
  }
  return report.tasks.some(({ why }) => why === 'not_probed') ? 1 : 0;
}

const MORE = 10;

function roundsOf({
  iterate: rounds,
  repo,
  more = MORE,
}: Pick<CalibrateOptions, 'iterate' | 'repo' | 'more'>): CalibrateAsked['rounds'] {
  if (rounds === undefined) return undefined;
  const hint = 'Name the one that the tasks were made of with --repo.';
  const repository = path.resolve(required(repo, 'no repository to make more of is named', hint));
  return { repository, rounds, more };
}

async function probe(console: Console, asked: CalibrateAsked): Promise<CalibrationReport> {
  const shown = watchEval(console);
  const watch = {
    onProgress: shown.onProgress,
    onPhase: shown.say,
    onNote: (text: string) => shown.say(`note: ${text}`),
    onRecorded: (id: string) => shown.say(`run ${id}`),
  };
  const onSynth = (progress: SynthProgress) => {
    for (const line of renderSynthProgress(progress).trimEnd().split('\n')) shown.say(line);
  };
  try {
    return await withCore(
      console,
      async ({ core, signal }) => {
        try {
          return await core.synthesis.calibrate({ ...asked, signal, watch, onSynth });
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
