import path from 'node:path';
import { loadScaffold } from '../agent/index.ts';
import { LEAST_LIMITS, type CheckRow, type NewFix } from '../contract/index.ts';
import { mergeLimits, readRepositorySettings, type RepositorySettings } from '../fix/index.ts';
import { formatSize, messageOf, openPlainFile, VivariumError } from '../lib/index.ts';
import { openModel, parseModelSpec, loadClient, type ModelSpec } from '../models/index.ts';
import { findRepository } from '../patch/index.ts';
import { fitLimits, probeEngine, type Engine } from '../workspaces/index.ts';
import { checkVerify } from './check-verify.ts';
import { chooseImage } from './choose-image.ts';
import { RESOURCES, type Environment } from './environment.ts';
import { checkRuntime, scaffoldPath } from './fix.ts';
import { profileOf } from './session-model.ts';

/** A model server that is alive tells its models at once. */
const ANSWER_MS = 3_000;

type Row = CheckRow;
type Fix = Partial<NewFix>;
type Found = Pick<Row, 'found'> & Partial<Pick<Row, 'state' | 'remedy'>>;

/**
 * What a fix needs, each with what was found. Nothing of a repository is run; in an image only its
 * shell, once, in an empty workspace, to see which programs it has.
 */
export async function checkRows(
  environment: Environment,
  fix: Fix,
  signal: AbortSignal,
): Promise<Row[]> {
  // Whoever asks is about to start one.
  loadClient().catch(() => undefined);
  const place = await lookAtPlace(fix);
  const engine = environment.engine();
  // It is awaited in rows of its own.
  engine.catch(() => undefined);
  return Promise.all([
    row('repository', () => place.found),
    row('issue', () => issueOf(fix)),
    row('model', () => modelOf(environment, fix, signal)),
    row('scaffold', () => scaffoldOf(environment, fix)),
    row('docker', async () => dockerOf(await engine, fix)),
    row('image', async () => imageOf(engine, place, fix)),
    row('limits', async () => limitsOf(engine, place, fix)),
    row('verify', () => verifyOf(environment, engine, place, fix)),
  ]);
}

async function row(name: string, look: () => Found | Promise<Found>): Promise<Row> {
  try {
    return { name, state: 'ok', remedy: null, ...(await look()) };
  } catch (error) {
    if (!(error instanceof VivariumError)) {
      return { name, state: 'unknown', found: messageOf(error), remedy: null };
    }
    return { name, state: 'missing', found: error.message, remedy: error.next };
  }
}

interface Place {
  top: string | null;
  settings: RepositorySettings;
  found: Found;
}

async function lookAtPlace({ repository }: Fix): Promise<Place> {
  const nowhere = { top: null, settings: {} };
  if (repository === undefined || repository === '') {
    const found = missing('no repository is chosen', 'Choose the folder of a git repository.');
    return { ...nowhere, found };
  }
  try {
    const { top } = await findRepository(repository);
    const settings = await readRepositorySettings(top);
    return { top, settings, found: { found: top } };
  } catch (error) {
    if (!(error instanceof VivariumError)) throw error;
    return { ...nowhere, found: missing(error.message, error.next) };
  }
}

function missing(found: string, remedy: string): Found {
  return { state: 'missing', found, remedy };
}

function issueOf({ issue = '' }: Fix): Found {
  if (issue.trim() === '')
    return missing('the issue is empty', 'Describe the bug in a sentence or two.');
  return { found: `${issue.trim().length} characters` };
}

async function modelOf(
  environment: Environment,
  { model = '' }: Fix,
  signal: AbortSignal,
): Promise<Found> {
  if (model.trim() === '') return missing('no model is chosen', 'Choose a model, or add one.');
  const spec = parseModelSpec(model);
  switch (spec.kind) {
    case 'library':
      return libraryModelOf(environment, spec, signal);
    case 'gguf':
      return fileOf(spec.file, 'GGUF');
    case 'script':
      return fileOf(spec.file, '');
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

/** Its beginning is enough to tell a slip. */
async function fileOf(file: string, magic: string): Promise<Found> {
  const handle = await openPlainFile(file).catch((error: unknown) => {
    throw new VivariumError(
      'model_file_invalid',
      `${file} can't be read: ${messageOf(error)}`,
      'Check the path and its permissions.',
      error,
    );
  });
  try {
    const stat = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const isRight = buffer.toString('latin1', 0, bytesRead).startsWith(magic);
    if (!isRight) return missing(`${file} is no ${magic || 'file'}`, 'Choose another file.');
    return { found: `${path.basename(file)}, ${formatSize(stat.size)}` };
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
    const opened = await openModel(spec, { home, env, signal: AbortSignal.any([signal, late]) });
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

async function scaffoldOf(environment: Environment, { scaffold, model = '' }: Fix): Promise<Found> {
  const profile = await trainedWith(environment, model);
  const wanted = scaffold ?? profile ?? 'leaf';
  const { name } = await loadScaffold(scaffoldPath(wanted), path.join(RESOURCES, 'scaffolds'));
  if (profile === null || profile === wanted) return { found: name };
  return {
    ...{ state: 'warning', found: `${name}; the model was trained with ${profile}` },
    remedy: `Use ${profile}, unless you compare.`,
  };
}

async function trainedWith(environment: Environment, model: string): Promise<string | null> {
  try {
    const profile = await profileOf(environment, parseModelSpec(model));
    return profile?.scaffold ?? null;
  } catch {
    // The model has a row of its own.
    return null;
  }
}

async function dockerOf(engine: Engine, { runtime }: Fix): Promise<Found> {
  const { runtimes } = await probeEngine(engine);
  checkRuntime(runtime ?? null, runtimes);
  return { found: `${engine.name} (${engine.via})` };
}

async function imageOf(engine: Promise<Engine>, place: Place, fix: Fix): Promise<Found> {
  const connected = await reached(engine);
  if (connected === null) return noEngine();
  const named = fix.image ?? place.settings.image;
  if (place.top === null && named === undefined) return noRepository();
  return { found: await chooseImage(connected, place.top ?? '', named) };
}

async function limitsOf(engine: Promise<Engine>, place: Place, fix: Fix): Promise<Found> {
  for (const [name, least] of Object.entries(LEAST_LIMITS)) {
    const given = fix.limits?.[name as keyof typeof LEAST_LIMITS];
    if (given !== undefined && given < least)
      return missing(`${name} is too small for a workspace`, `Give at least ${least}.`);
  }
  const connected = await reached(engine);
  if (connected === null) return noEngine();
  const asked = Object.entries(fix.limits ?? {}).filter(([, value]) => value !== undefined);
  const wanted = mergeLimits(place.settings, Object.fromEntries(asked));
  const { limits, notes } = fitLimits(wanted, await probeEngine(connected));
  const found = `${formatSize(limits.memoryBytes)} of memory, ${limits.cpus} processors, ${formatSize(limits.diskBytes)} of disk`;
  if (notes.length === 0) return { found };
  return { state: 'warning', found: notes.join('; '), remedy: 'It starts all the same.' };
}

/** Where no image can be told, that has a row of its own. */
function verifyOf(
  environment: Environment,
  engine: Promise<Engine>,
  place: Place,
  fix: Fix,
): Promise<Found> {
  const image = imageOf(engine, place, fix).then(
    ({ found, state }) => (state === undefined ? found : null),
    () => null,
  );
  return checkVerify(environment, fix.verify ?? place.settings.verify, image);
}

async function reached(engine: Promise<Engine>): Promise<Engine | null> {
  return engine.catch(() => null);
}

function noEngine(): Found {
  return { state: 'unknown', found: 'no container engine answers', remedy: null };
}

function noRepository(): Found {
  return { state: 'unknown', found: 'no repository is chosen', remedy: null };
}
