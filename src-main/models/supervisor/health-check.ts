import { messageOf } from '../../lib/index.ts';
import type { Readiness, ServerAccess } from '../servers/types.ts';
import { createActivityMeter } from './activity.ts';
import type { ServerContext } from './launch-context.ts';

/** Asks a ready server now and then whether it still serves its model. */
export interface HealthCheck {
  /** What it said, once it has been asked in vain often enough while it did nothing; else `null`. */
  failed(): Promise<string | null>;
}

const TIMEOUT_MS = 5_000;
const TIMES_IN_VAIN = 3;

/** A server too busy to answer works: failing health alone is no reason to end it. */
export function createHealthCheck(context: ServerContext, access: ServerAccess): HealthCheck {
  const { healthMs } = context.limits;
  const meter = createActivityMeter(context.finder, () => 0);
  let askedAt = performance.now();
  let inVain = 0;
  return {
    failed: async () => {
      if (performance.now() - askedAt < healthMs) return null;
      askedAt = performance.now();
      const readiness = await ask(context, access);
      const idleMs = meter.look();
      if (readiness.state === 'ready') inVain = 0;
      else inVain += 1;
      if (readiness.state === 'ready' || inVain < TIMES_IN_VAIN || idleMs < healthMs) return null;
      return readiness.detail;
    },
  };
}

async function ask(context: ServerContext, access: ServerAccess): Promise<Readiness> {
  try {
    return await context.request.engine.reach({
      root: access.root,
      key: access.key,
      servedName: access.servedName,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    return { state: 'dead', detail: messageOf(error) };
  }
}
