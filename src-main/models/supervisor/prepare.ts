import { VivariumError } from '../../lib/index.ts';
import type { Installation, StartServer } from '../servers/types.ts';

/**
 * Finds the engine and lets it look at the profile, before anything is started.
 *
 * @throws VivariumError `engine_missing`, `profile_invalid` with what the engine would refuse; the
 * signal's reason
 */
export async function prepare(
  request: StartServer,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Installation> {
  const { engine, profile, model } = request;
  const installation = await engine.probe(profile, { env, signal });
  signal.throwIfAborted();
  const faults = engine.check(profile, installation, model);
  if (faults.length === 0) return installation;
  throw new VivariumError(
    'profile_invalid',
    `${installation.shown} would refuse the profile of ${profile.name}: ${faults.join('; ')}`,
    'Change the profile, or name another installation of the engine in it.',
  );
}
