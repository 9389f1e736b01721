import { exportRun, type ExportReport, type ExportRequest } from '../../evaluation/index.ts';
import type { Environment } from '../environment.ts';
import { about } from '../handlers/about.ts';
import { showRun } from './list.ts';

/** Writes a run for other tools; see `Evaluations.export`. */
export async function exportRunOf(
  environment: Environment,
  idOrPrefix: string,
  request: ExportRequest,
): Promise<ExportReport> {
  const { store, config } = environment;
  const { version } = await about(config.home);
  return exportRun({ ...showRun(environment, idOrPrefix), store, version }, request);
}
