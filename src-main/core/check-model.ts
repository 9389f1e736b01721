import path from 'node:path';
import { formatSize, messageOf, openPlainFile, VivariumError } from '../lib/index.ts';
import { inspectModel, openModel, parseModelSpec, type ModelSpec } from '../models/index.ts';
import { missing, type Found } from './check-row.ts';
import type { Environment } from './environment.ts';
import { profileOf } from './session-model.ts';

/** A model server that is alive tells its models at once. */
const ANSWER_MS = 3_000;

/**
 * What can be known of a model before it is opened: that files are there and whole, that a server
 * answers, that there is room. Nothing is started.
 * @throws VivariumError what speaks against it, where that is no row of its own
 */
export async function checkModel(
  environment: Environment,
  model: string,
  signal: AbortSignal,
): Promise<Found> {
  if (model.trim() === '') return missing('no model is chosen', 'Choose a model, or add one.');
  const spec = parseModelSpec(model);
  switch (spec.kind) {
    case 'library':
      return libraryModelOf(environment, spec, signal);
    case 'gguf':
      return ggufOf(spec.file);
    case 'script':
      return scriptOf(spec.file);
    case 'endpoint':
      return endpointOf(environment, spec, signal);
  }
}

async function libraryModelOf(
  environment: Environment,
  spec: ModelSpec & { kind: 'library' },
  signal: AbortSignal,
): Promise<Found> {
  const { models } = environment;
  await profileOf(environment, spec);
  const { state, engine, contextTokens } = await models.status(spec.name);
  if (state === 'ready' || state === 'busy') {
    return { found: `its server runs: ${engine}, window of ${contextTokens ?? '?'} tokens` };
  }
  if (state === 'loading' || state === 'planning') return { found: 'its server is starting' };
  const absent = await models.missingFiles(spec.name);
  if (absent.length > 0) {
    const more = absent.length > 3 ? `, and ${absent.length - 3} more` : '';
    return missing(
      `files of ${spec.name} are not as they were: ${absent.slice(0, 3).join(', ')}${more}`,
      'Bring them back, or remove the model and add it again.',
    );
  }
  const { plan, faults, installation } = await models.plan(spec.name, { signal });
  if (installation === null || faults.length > 0) {
    return missing(faults[0] ?? 'its engine was not found', 'See the plan of the model.');
  }
  const { totalBytes } = plan.estimate;
  if (!plan.fits) {
    return missing(
      `it needs about ${formatSize(totalBytes)} (estimate), ${formatSize(plan.availableBytes)} are free`,
      plan.advice[0] ?? 'Use a smaller model.',
    );
  }
  return { found: `${plan.reason}; about ${formatSize(totalBytes)} (estimate)` };
}

/** Its headers tell what an engine would only find out once it has begun. */
async function ggufOf(file: string): Promise<Found> {
  const { facts } = await inspectModel(file);
  if (facts.format !== 'gguf') return missing(`${file} is no GGUF`, 'Choose another file.');
  const size = formatSize(facts.weightBytes);
  return { found: `${path.basename(file)}, ${facts.quantization}, ${size}` };
}

async function scriptOf(file: string): Promise<Found> {
  const handle = await openPlainFile(file).catch((error: unknown) => {
    throw new VivariumError(
      'model_file_invalid',
      `${file} can't be read: ${messageOf(error)}`,
      'Check the path and its permissions.',
      error,
    );
  });
  try {
    const { size } = await handle.stat();
    return { found: `${path.basename(file)}, ${formatSize(size)}` };
  } finally {
    await handle.close();
  }
}

async function endpointOf(
  { config }: Environment,
  spec: ModelSpec,
  signal: AbortSignal,
): Promise<Found> {
  const late = AbortSignal.timeout(ANSWER_MS);
  try {
    const { home, env } = config;
    const opened = await openModel(spec, {
      ...{ home, env, signal: AbortSignal.any([signal, late]) },
    });
    const { name, contextTokens } = opened.info;
    await opened.close();
    return { found: `${name} answers, window of ${contextTokens ?? '?'} tokens` };
  } catch (error) {
    if (!late.aborted) throw error;
    return missing(
      `no answer within ${ANSWER_MS / 1000} s`,
      'Check the address, and that the server has loaded its model.',
    );
  }
}
