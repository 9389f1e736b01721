import type { ServerStatus } from '../contract/index.ts';
import type { Driving } from '../fix/index.ts';
import { VivariumError } from '../lib/index.ts';
import {
  drivingOf,
  openModel,
  type ModelHandle,
  type ModelProfile,
  type ModelSpec,
  type ServedModel,
} from '../models/index.ts';
import type { Environment } from './environment.ts';

/** How a session wants its model. */
export interface SessionModelRequest {
  signal: AbortSignal;
  contextTokens: number;
  parallel: number;
  /** What happens right now, for people who watch. */
  phase: (text: string) => void;
}

/** The model of a session, and what the session's record should say about how it was had. */
export interface SessionModel {
  model: ModelHandle;
  notes: string[];
}

/** Opens the model of a session; the server of a library model is used, or started for it. */
export async function openSessionModel(
  environment: Environment,
  spec: ModelSpec,
  { signal, contextTokens, parallel, phase }: SessionModelRequest,
): Promise<SessionModel> {
  phase('starting the model');
  const notes: string[] = [];
  const useServer = async (name: string): Promise<ServedModel> => {
    let said: string | null = null;
    const onStatus = (status: ServerStatus): void => {
      const text = serverPhase(status);
      // A status changes also in what is not told.
      if (text !== null && text !== said) phase(text);
      said = text;
    };
    const served = await environment.models.use(name, { signal, onStatus });
    const status = await environment.models.status(name);
    notes.push(...serverNotes(served, status, parallel));
    return served;
  };
  const model = await openModel(spec, {
    home: environment.config.home,
    env: environment.config.env,
    ...(environment.config.startChild && { startChild: environment.config.startChild }),
    ...{ signal, contextTokens, parallel, useServer },
    ...(environment.config.trainer && { trainer: environment.config.trainer }),
  });
  return { model, notes };
}

/**
 * `starting the server of frog: loading the weights (2 of 4 shards)`; `null` when there is nothing
 * that a person who watches a session has to wait for.
 */
export function serverPhase({ name, state, progress, restarts }: ServerStatus): string | null {
  if (state !== 'planning' && state !== 'loading') return null;
  const what = restarts > 0 ? 'starting again' : 'starting';
  return `${what} the server of ${name}: ${progress ?? state}`;
}

/** Whose server it is, and what a person should know about it. */
export function serverNotes(
  { started, info }: Pick<ServedModel, 'started' | 'info'>,
  { name, version, sequences, since, timings }: ServerStatus,
  parallel: number,
): string[] {
  const engine = `${info.engine}${version === null ? '' : ` ${version}`}`;
  const took = timings === null ? '' : `, ready after ${(timings.readyMs / 1000).toFixed(1)} s`;
  const whose = started
    ? `the server of ${name} (${engine}) was started for this session${took}, and ends when nobody uses it any more`
    : `the server of ${name} (${engine}) ran already, since ${new Date(since).toISOString()}, and goes on`;
  if (sequences === null || parallel <= sequences) return [whose];
  return [
    whose,
    `${parallel} attempts at a time share a server for ${sequences}: they wait for each other and may lose their cached prompts`,
  ];
}

/** The profile of a library model; `null` for any other spec. */
export async function profileOf(
  environment: Environment,
  spec: ModelSpec,
): Promise<ModelProfile | null> {
  if (spec.kind !== 'library') return null;
  try {
    return await environment.models.profiles.get(spec.name);
  } catch (error) {
    if (!(error instanceof VivariumError) || error.code !== 'model_not_found') throw error;
    // A word that is no model of the library may have been meant as something else.
    const next = `${error.next} Other models are gguf:FILE, script:FILE and http://HOST:PORT/v1#NAME.`;
    throw new VivariumError(error.code, error.message, next, error);
  }
}

/** Limits and sampling that a profile gives a session driven by `scaffold`. */
export interface ProfileDefaults {
  maxSteps?: number;
  maxContextTokens?: number;
  driving: Driving | null;
}

/**
 * Steps and the length of a turn belong to the scaffold that the model was trained with: another one
 * keeps its own. Window and sampling are the model's whatever drives it.
 */
export function profileDefaults(
  profile: ModelProfile | null,
  scaffold: { asked: string | undefined; name: string; limits: { maxContextTokens: number } },
): ProfileDefaults {
  if (profile === null) return { driving: null };
  const { limits, sampling, scaffold: trained } = drivingOf(profile);
  // A path in the profile names a scaffold that may call itself anything.
  const isTrained = [undefined, trained].includes(scaffold.asked) || scaffold.name === trained;
  if (!isTrained) {
    return {
      maxContextTokens: Math.min(limits.maxContextTokens, scaffold.limits.maxContextTokens),
      driving: { sampling, maxTokensPerTurn: null, maxInputTokens: null },
    };
  }
  return {
    maxSteps: limits.maxSteps,
    maxContextTokens: limits.maxContextTokens,
    driving: {
      sampling,
      maxTokensPerTurn: limits.maxTokensPerTurn,
      maxInputTokens: limits.maxInputTokens,
    },
  };
}
