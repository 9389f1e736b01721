import { z } from 'zod';
import type { ServerFigures } from '../../servers/types.ts';
import type { Probe } from '../endpoint/http.ts';
import { llamaServerFigures } from '../shared/figures.ts';
import { readMetrics } from '../shared/prometheus.ts';
import type { ReachRules } from '../shared/reach.ts';

const listSchema = z.looseObject({
  data: z.array(z.looseObject({ meta: z.record(z.string(), z.union([z.string(), z.number()])) })),
});

/** Our server listens only once its model is loaded, and tells about it in the list of models. */
export const REACH_RULES: ReachRules = {
  unavailable: () => ({ state: 'loading', detail: 'it is not ready yet' }),
  details: async (probe: Probe, root: string) => {
    const { body } = await probe.get(`${root}/v1/models`);
    return listSchema.parse(body).data[0]?.meta ?? {};
  },
};

/** Reads the page that `server/meter.ts` writes: the names of llama-server, and some of ours. */
export function toFigures(text: string): ServerFigures {
  const { sum } = readMetrics(text);
  return {
    ...llamaServerFigures(text),
    firstTokenSecondsSum: sum('llamacpp:time_to_first_token_seconds_sum'),
    firstTokenCount: sum('llamacpp:time_to_first_token_seconds_count'),
  };
}
