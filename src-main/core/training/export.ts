import {
  dryRunTraining,
  exportTraining,
  type DryRunReport,
  type TrainReport,
} from '../../training/index.ts';
import type { Environment } from '../environment.ts';
import { showRun } from '../evaluation/list.ts';
import { about } from '../handlers/about.ts';
import { withTokenizer } from './tokenizer.ts';
import type { DryRunRequest, TrainRequest } from './types.ts';

/** Writes runs as training data; see `Training.export`. */
export async function exportTrainingOf(
  environment: Environment,
  runs: readonly string[],
  request: TrainRequest,
): Promise<TrainReport> {
  const sources = await sourcesOf(environment, runs);
  return withTokenizer(environment, request.tokenizer, (tokenizer) =>
    exportTraining(sources, { ...request, tokenizer }),
  );
}

/** What importers would make of the rows; see `Training.dryRun`. */
export async function dryRunOf(
  environment: Environment,
  runs: readonly string[],
  request: DryRunRequest,
): Promise<DryRunReport> {
  const sources = await sourcesOf(environment, runs);
  return withTokenizer(environment, request.tokenizer, (tokenizer) =>
    dryRunTraining(sources, { ...request, tokenizer }),
  );
}

/** A run that is named twice counts once. */
async function sourcesOf(environment: Environment, runs: readonly string[]) {
  const { store, config } = environment;
  const { version } = await about(config.home);
  const found = runs.map((run) => showRun(environment, run));
  const once = new Map(found.map((details) => [details.run.runId, details]));
  return [...once.values()].map((details) => ({ ...details, store, version }));
}
