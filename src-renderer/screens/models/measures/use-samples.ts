import { useState } from 'react';
import type { ServerSample } from '../../../../src-main/contract/index.ts';
import { useCall } from '../../../api/hooks.ts';
import { withSample } from './series.ts';

export interface UseSamples {
  samples: readonly ServerSample[];
  isPending: boolean;
  error: unknown;
}

/**
 * The record of the last `spanMs`, and each new look appended to it. For another span the component
 * has to begin anew.
 */
export function useSamples(name: string, newest: ServerSample | null, spanMs: number): UseSamples {
  const [since] = useState(() => Date.now() - spanMs);
  const { data, isPending, error } = useCall('models/samples', { name, since });
  const [fresh, setFresh] = useState<readonly ServerSample[]>([]);
  const from = newest === null ? since : newest.at - spanMs;
  const more = withSample(fresh, newest, from);
  // Looks come once a second, and each is kept once.
  if (more.length !== fresh.length || more.at(-1) !== fresh.at(-1)) setFresh(more);
  const last = data?.at(-1)?.at ?? 0;
  const samples = [...(data ?? []), ...more.filter(({ at }) => at > last)];
  return { samples: withSample(samples, null, from), isPending, error };
}
