import { exportTraining, type TrainReport, type TrainRequest } from '../../training/index.ts';
import type { Environment } from '../environment.ts';
import { showRun } from '../evaluation/list.ts';
import { about } from '../handlers/about.ts';

/** Writes runs as training data; see `Training.export`. A run that is named twice counts once. */
export async function exportTrainingOf(
  environment: Environment,
  runs: readonly string[],
  request: TrainRequest,
): Promise<TrainReport> {
  const { store, config } = environment;
  const { version } = await about(config.home);
  const found = runs.map((run) => showRun(environment, run));
  const once = new Map(found.map((details) => [details.run.runId, details]));
  return exportTraining(
    [...once.values()].map((details) => ({ ...details, store, version })),
    request,
  );
}
