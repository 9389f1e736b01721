import { VivariumError, formatSize } from '../../lib/index.ts';
import { probeMachine } from '../machine/index.ts';
import { makePlan } from '../planning/index.ts';
import { applyOverrides, ensureProfile } from '../profiles/index.ts';
import type {
  Installation,
  LibraryModel,
  Machine,
  ModelLibrary,
  ModelProfile,
  ServerEngine,
  ServerPlan,
} from '../servers/types.ts';
import { engineOf } from './engines.ts';
import type { ModelServiceConfig, PlanReport, ServerOptions } from './types.ts';

/** Everything that is known before a start. */
export interface Prepared {
  profile: ModelProfile;
  model: LibraryModel;
  machine: Machine;
  engine: ServerEngine;
  /** `null` when the program was not found; then `missing` says so. */
  installation: Installation | null;
  missing: VivariumError | null;
  plan: ServerPlan;
  faults: string[];
}

/** @throws VivariumError `model_not_found`, `profile_invalid` */
export async function prepare(
  config: ModelServiceConfig,
  library: Pick<ModelLibrary, 'get'>,
  name: string,
  { overrides, signal }: ServerOptions,
): Promise<Prepared> {
  const model = await library.get(name);
  const kept = await ensureProfile(config.home, model);
  const profile = overrides === undefined ? kept : applyOverrides(kept, overrides);
  const engine = await engineOf(profile.engine, config.home);
  const looking = { env: config.env, ...(signal !== undefined && { signal }) };
  const [machine, found] = await Promise.all([
    probeMachine(looking),
    engine.probe(profile, looking).catch((error: unknown) => {
      if (error instanceof VivariumError && error.code === 'engine_missing') return error;
      throw error;
    }),
  ]);
  const missing = found instanceof VivariumError ? found : null;
  const installation = found instanceof VivariumError ? null : found;
  const version = installation?.version ?? null;
  const backends = installation?.choices.get('backend');
  const plan = makePlan({
    ...{ profile, facts: model.facts, machine, engine: profile.engine, version },
    ...(backends !== undefined && { backends }),
  });
  const faults =
    installation === null
      ? [missing?.message ?? 'the engine was not found']
      : engine.check(profile, installation, model);
  return { profile, model, machine, engine, installation, missing, plan, faults };
}

export function reportOf({ profile, plan, installation, faults }: Prepared): PlanReport {
  return {
    ...{ profile, plan, faults },
    installation: installation?.shown ?? null,
    version: installation?.version ?? null,
  };
}

/**
 * Refuses what would fail anyway.
 * @throws VivariumError `engine_missing`, `profile_invalid`, `does_not_fit`
 */
export function checkPrepared(prepared: Prepared, { force = false }: ServerOptions): void {
  const { missing, faults, plan, profile } = prepared;
  if (missing !== null) throw missing;
  const [fault, ...others] = faults;
  if (fault !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new VivariumError(
      'profile_invalid',
      `${profile.name} would not start: ${fault}${more}`,
      `Correct the profile with \`vivarium models profile set ${profile.name}\`; \`vivarium models plan ${profile.name}\` shows all faults.`,
    );
  }
  if (plan.fits || force) return;
  const { totalBytes } = plan.estimate;
  throw new VivariumError(
    'does_not_fit',
    `${profile.name} needs about ${formatSize(totalBytes)} (estimate) and ${formatSize(plan.availableBytes)} are free`,
    `${capital(plan.advice[0] ?? 'use a smaller model')}; --force starts it all the same.`,
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
