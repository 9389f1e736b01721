import path from 'node:path';
import { loadScaffold } from '../agent/index.ts';
import { LEAST_LIMITS, type CheckRow, type NewFix } from '../contract/index.ts';
import { mergeLimits, readRepositorySettings, type RepositorySettings } from '../fix/index.ts';
import { formatSize, messageOf, VivariumError } from '../lib/index.ts';
import { loadClient, parseModelSpec } from '../models/index.ts';
import { findRepository } from '../patch/index.ts';
import { fitLimits, probeEngine, type Engine } from '../workspaces/index.ts';
import { checkModel } from './check-model.ts';
import { missing, type Found } from './check-row.ts';
import { checkVerify } from './check-verify.ts';
import { chooseImage } from './choose-image.ts';
import { RESOURCES, type Environment } from './environment.ts';
import { checkRuntime, scaffoldPath } from './fix.ts';
import { profileOf } from './session-model.ts';

type Row = CheckRow;
type Fix = Partial<NewFix>;

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
  const image = imageOf(engine, place, fix);
  image.catch(() => undefined);
  return Promise.all([
    row('repository', () => place.found),
    row('issue', () => issueOf(fix)),
    row('model', () => checkModel(environment, fix.model ?? '', signal)),
    row('scaffold', () => scaffoldOf(environment, fix)),
    row('docker', async () => dockerOf(await engine, fix)),
    row('image', () => image),
    row('limits', async () => limitsOf(engine, place, fix)),
    row('verify', () => verifyOf(environment, image, place, fix)),
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

function issueOf({ issue = '' }: Fix): Found {
  if (issue.trim() === '')
    return missing('the issue is empty', 'Describe the bug in a sentence or two.');
  return { found: `${issue.trim().length} characters` };
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
  image: Promise<Found>,
  place: Place,
  fix: Fix,
): Promise<Found> {
  const reference = image.then(
    ({ found, state }) => (state === undefined ? found : null),
    () => null,
  );
  return checkVerify(environment, fix.verify ?? place.settings.verify, reference);
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
