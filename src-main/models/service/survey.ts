import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { probeMachine } from '../machine/index.ts';
import { ensureProfile } from '../profiles/index.ts';
import type { EngineSource, LibraryModel, ModelLibrary, ServerEngineId } from '../servers/types.ts';
import { engineOf } from './engines.ts';
import type { ModelServiceConfig, Survey, SurveyedEngine } from './types.ts';

const ENGINES: readonly ServerEngineId[] = ['llamacpp', 'vllm', 'sglang', 'llama-server'];

/** Looks at devices, engines and files; starts nothing that stays. */
export async function survey(
  config: ModelServiceConfig,
  library: Pick<ModelLibrary, 'list'>,
): Promise<Survey> {
  const models = await library.list();
  const wanted = await wantedPlaces(config.home, models);
  const [machine, engines, incomplete] = await Promise.all([
    probeMachine({ env: config.env }),
    Promise.all(wanted.map((place) => lookFor(config, place))),
    Promise.all(models.map(missingFiles)),
  ]);
  return { machine, engines, incomplete: incomplete.filter(({ missing }) => missing.length > 0) };
}

interface Place {
  engine: ServerEngineId;
  source: EngineSource;
  environment: Record<string, string>;
  models: string[];
}

/** The usual place of each engine, and every other that a profile names. */
async function wantedPlaces(home: string, models: readonly LibraryModel[]): Promise<Place[]> {
  const places: Place[] = ENGINES.map((engine) => ({
    ...{ engine, source: { kind: 'auto' }, environment: {}, models: [] },
  }));
  for (const model of models) {
    // A profile that cannot be read is told when it is used.
    const profile = await ensureProfile(home, model).catch(() => null);
    if (profile === null || profile.source.kind === 'auto') continue;
    const { engine, source, environment } = profile;
    const same = places.find(
      (place) => place.engine === engine && JSON.stringify(place.source) === JSON.stringify(source),
    );
    if (same === undefined) places.push({ engine, source, environment, models: [model.name] });
    else same.models.push(model.name);
  }
  return places;
}

async function lookFor(
  { env, home }: ModelServiceConfig,
  { engine, source, environment, models }: Place,
): Promise<SurveyedEngine> {
  try {
    const adapter = await engineOf(engine, home);
    const { shown } = await adapter.probe({ source, environment }, { env });
    return { engine, models, found: shown, problem: null };
  } catch (error) {
    const next = error instanceof VivariumError ? error.next : 'Run it by hand to see why.';
    return { engine, models, found: null, problem: { message: messageOf(error), next } };
  }
}

/** By name and size; `models verify` reads them. */
export async function missingFiles({ name, folder, files }: LibraryModel): Promise<{
  name: string;
  missing: string[];
}> {
  const missing: string[] = [];
  for (const file of files) {
    const found = await stat(path.join(folder, file.path)).catch(() => null);
    if (found?.size !== file.bytes) missing.push(file.path);
  }
  return { name, missing };
}
