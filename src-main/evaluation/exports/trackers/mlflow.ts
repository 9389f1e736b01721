import { z } from 'zod';
import { VivariumError } from '../../../lib/index.ts';
import type { ExportSource } from '../types.ts';
import { figuresOf, type EntryFigures } from './figures.ts';
import { post, type Target } from './post.ts';

/** Of MLflow's REST interface: most metrics that one request may carry. */
const MOST_METRICS = 1000;
const API = '/api/2.0/mlflow';

const searchedSchema = z.object({
  experiments: z.array(z.object({ experiment_id: z.string(), name: z.string() })).optional(),
});
const madeSchema = z.object({ experiment_id: z.string() });
const runSchema = z.object({ run: z.object({ info: z.object({ run_id: z.string() }) }) });

type Metric = { key: string; value: number; timestamp: number; step: number };

/**
 * Writes a run into an MLflow server that the user named: an MLflow run for each entry, with its
 * settings as parameters, its figures as metrics, and those of each cell as a series. The experiment
 * is made where it is not there.
 * @throws VivariumError `endpoint_*`, `usage` for a name that MLflow's filter cannot hold
 */
export async function sendMlflow(
  source: ExportSource,
  target: Target,
  experiment: string,
): Promise<number> {
  const entries = figuresOf(source);
  let sent = 0;
  const call = async (path: string, body: object): Promise<unknown> => {
    const done = `${sent} of ${entries.length} entries were written`;
    return post(target, `${API}/${path}`, JSON.stringify(body), { done });
  };
  const experimentId = await experimentIdOf(call, experiment);
  for (const entry of entries) {
    await writeEntry(call, source, experimentId, entry);
    sent += 1;
  }
  return source.cells.length;
}

type Call = (path: string, body: object) => Promise<unknown>;

async function experimentIdOf(call: Call, name: string): Promise<string> {
  if (name.includes("'") || name.includes('"')) {
    throw new VivariumError(
      'usage',
      'the name of an MLflow experiment cannot hold quotes here',
      'Choose another name with --experiment.',
    );
  }
  const found = readAs(
    searchedSchema,
    await call('experiments/search', { max_results: 1, filter: `name = '${name}'` }),
  );
  const known = found.experiments?.find((experiment) => experiment.name === name);
  if (known !== undefined) return known.experiment_id;
  return readAs(madeSchema, await call('experiments/create', { name })).experiment_id;
}

async function writeEntry(
  call: Call,
  { run, version }: ExportSource,
  experimentId: string,
  { name, parameters, totals, cells }: EntryFigures,
): Promise<void> {
  const made = await call('runs/create', {
    experiment_id: experimentId,
    run_name: name,
    start_time: run.createdAt,
    tags: pairs({ 'vivarium.run': run.runId, 'vivarium.version': version }),
  });
  const { run_id: runId } = readAs(runSchema, made).run.info;
  await call('runs/log-batch', { run_id: runId, params: pairs(parameters) });
  const end = run.finishedAt ?? cells.at(-1)?.at ?? run.createdAt;
  const metrics = [
    ...metricsOf(totals, '', end, 0),
    ...cells.flatMap(({ at, figures }, step) => metricsOf(figures, 'cell/', at, step)),
  ];
  for (let at = 0; at < metrics.length; at += MOST_METRICS) {
    await call('runs/log-batch', {
      run_id: runId,
      metrics: metrics.slice(at, at + MOST_METRICS),
    });
  }
  // A run that was cut short is no finished one there, either.
  const status = run.state === 'done' ? 'FINISHED' : run.state === 'failed' ? 'FAILED' : 'KILLED';
  await call('runs/update', { run_id: runId, status, end_time: end });
}

function pairs(members: Readonly<Record<string, string>>): { key: string; value: string }[] {
  return Object.entries(members).map(([key, value]) => ({ key, value }));
}

function metricsOf(
  figures: Readonly<Record<string, number>>,
  before: string,
  timestamp: number,
  step: number,
): Metric[] {
  return Object.entries(figures).map(([key, value]) => ({
    ...{ key: `${before}${key}`, value, timestamp, step },
  }));
}

function readAs<T>(schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new VivariumError(
    'endpoint_error',
    'the server does not answer as MLflow does',
    'Name an MLflow tracking server with --to, such as http://127.0.0.1:5000.',
    read.error,
  );
}
