import {
  dryRunTraining,
  exportTraining,
  type DryRunReport,
  type DryRunRequest,
  type TrainReport,
  type TrainRequest,
} from '../../training/index.ts';
import type { Environment } from '../environment.ts';
import { showRun } from '../evaluation/list.ts';
import { about } from '../handlers/about.ts';

/** Writes runs as training data; see `Training.export`. */
export async function exportTrainingOf(
  environment: Environment,
  runs: readonly string[],
  request: TrainRequest,
): Promise<TrainReport> {
  return exportTraining(await sourcesOf(environment, runs), request);
}

/** What importers would make of the rows; see `Training.dryRun`. */
export async function dryRunOf(
  environment: Environment,
  runs: readonly string[],
  request: DryRunRequest,
): Promise<DryRunReport> {
  return dryRunTraining(await sourcesOf(environment, runs), request);
}

/** A run that is named twice counts once. */
async function sourcesOf(environment: Environment, runs: readonly string[]) {
  const { store, config } = environment;
  const { version } = await about(config.home);
  const found = runs.map((run) => showRun(environment, run));
  const once = new Map(found.map((details) => [details.run.runId, details]));
  return [...once.values()].map((details) => ({ ...details, store, version }));
}
