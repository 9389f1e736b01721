import { LEAST_LIMITS, type NewFix } from '../../contract/index.ts';
import { bodiesOf, readRepositorySettings, settledSchema } from '../../fix/index.ts';
import { formatSize, VivariumError, withHome } from '../../lib/index.ts';
import { findRepository } from '../../patch/index.ts';
import type { Environment } from '../environment.ts';
import type { FixRequest } from '../types.ts';
import { defined } from './defined.ts';
import { readSettings } from './settings.ts';

type Limits = NonNullable<NewFix['limits']>;

/**
 * A new fix with what the app's settings say where nothing else does: what the user named wins, then
 * `vivarium.yaml`, then the settings.
 * @throws VivariumError `usage` for a limit under which no workspace works
 */
export async function requestOf(environment: Environment, given: NewFix): Promise<FixRequest> {
  const fix = { ...given, repository: withHome(given.repository) };
  checkLimits(fix.limits ?? {});
  const { defaults } = readSettings(environment);
  const limits = await defaultLimits(fix, defaults);
  return { ...fix, attempts: fix.attempts ?? defaults.attempts, limits };
}

async function defaultLimits(
  { repository, limits = {} }: NewFix,
  { memoryBytes, cpus }: { memoryBytes: number | null; cpus: number | null },
): Promise<FixRequest['limits']> {
  const named = defined(limits);
  if (memoryBytes === null && cpus === null) return named;
  const { top } = await findRepository(repository);
  const { limits: own = {} } = await readRepositorySettings(top);
  return {
    ...(memoryBytes !== null && own.memory === undefined && { memoryBytes }),
    ...(cpus !== null && own.cpus === undefined && { cpus }),
    ...named,
  };
}

/** @throws VivariumError `usage` */
function checkLimits(limits: Limits): void {
  for (const [name, least] of Object.entries(LEAST_LIMITS)) {
    const given = limits[name as keyof typeof LEAST_LIMITS];
    if (given === undefined || given >= least) continue;
    const shown = name.endsWith('Bytes') ? formatSize(least) : String(least);
    throw new VivariumError(
      'usage',
      `the limit ${name} is too small for a workspace`,
      `Give at least ${shown}.`,
    );
  }
}

/**
 * The fix that a session was, with changes. With another model or scaffold only what a person named
 * is taken over: steps and window are that model's own then.
 * A follow-up begins again with the patch that it went on from, so only there.
 * @throws VivariumError `store_failed` when the record is not complete enough, `usage` for a follow-up
 * in another repository
 */
export function repeatedFix(
  { store }: Environment,
  session: string,
  changes: Partial<NewFix>,
): NewFix {
  const { sessionId } = store.session(session);
  const created = bodiesOf(store.events({ sessionId, limit: 1 }), 'session.created')[0];
  const settled = settledSchema.safeParse(created?.request);
  if (created === undefined || !settled.success) {
    throw new VivariumError(
      'store_failed',
      `the record of session ${sessionId} is not complete enough to run it again`,
      'Start a new fix.',
    );
  }
  if (created.followUp !== undefined && changes.repository !== undefined)
    throw elsewhere(sessionId);
  const { asked, ...all } = settled.data;
  const file = created.scaffold.file ?? created.scaffold.name;
  const before = asked ?? {
    ...{ protect: all.protect, include: all.include, image: all.image },
    ...{ attempts: all.attempts, parallel: all.parallel, seed: all.seed },
    ...(all.verify !== null && { verify: all.verify.command }),
    ...(all.runtime !== null && { runtime: all.runtime }),
    ...{ scaffold: file, limits: created.limits },
    ...(isSameDriver(changes) && { maxSteps: all.maxSteps, maxContext: all.maxContextTokens }),
  };
  const { issue, repository } = created;
  return { repository, issue, model: all.model, ...before, ...changes };
}

function elsewhere(sessionId: string): VivariumError {
  return new VivariumError(
    'usage',
    `session ${sessionId} goes on from a patch, which is of its own repository`,
    'Leave the repository as it is, or start a new fix in the other one.',
  );
}

function isSameDriver({ model, scaffold }: Partial<NewFix>): boolean {
  return model === undefined && scaffold === undefined;
}
