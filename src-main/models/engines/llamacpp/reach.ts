import { z } from 'zod';
import { messageOf } from '../../../lib/index.ts';
import { createHttpFetch, type Fetch } from '../../client/http-fetch.ts';
import type { Readiness, ReachInput, ServerFigures } from '../../servers/types.ts';

/** Our server answers these while it computes; one that does not within this time is stuck. */
const ANSWER_LIMIT_MS = 10_000;

const healthSchema = z.object({ status: z.literal('ok') });
const listSchema = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: z.number().int().positive().optional(),
      meta: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    }),
  ),
});

interface Page {
  status: number;
  text: string;
}

/** Asks a llama.cpp server of ours about itself, over connections that are kept. */
export interface Reach {
  readiness(input: ReachInput): Promise<Readiness>;
  figures(input: ReachInput): Promise<ServerFigures | null>;
}

export function createReach(): Reach {
  let send: Fetch | undefined;
  const get = async (input: ReachInput, path: string): Promise<Page> => {
    send ??= createHttpFetch();
    const response = await send(`${input.root}${path}`, {
      headers: { authorization: `Bearer ${input.key}` },
      signal: AbortSignal.any([input.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    readiness: async (input) => {
      try {
        return await askReadiness(input, get);
      } catch (error) {
        input.signal.throwIfAborted();
        const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
        if (refused) return { state: 'loading', detail: 'nothing answers yet' };
        return { state: 'dead', detail: messageOf(error) };
      }
    },
    figures: async (input) => {
      try {
        const { status, text } = await get(input, '/metrics');
        return status === 200 ? toFigures(text) : null;
      } catch {
        input.signal.throwIfAborted();
        return null;
      }
    },
  };
}

async function askReadiness(
  input: ReachInput,
  get: (input: ReachInput, path: string) => Promise<Page>,
): Promise<Readiness> {
  // Without the key: a foreign server must not learn it before it has shown that it may be ours.
  const health = await get({ ...input, key: 'none' }, '/health');
  if (health.status !== 200 || !healthSchema.safeParse(parse(health.text)).success) {
    return foreign(`it answers ${health.status} to GET /health`);
  }
  const { status, text } = await get(input, '/v1/models');
  if (status === 401 || status === 403) return foreign('it does not take our key');
  const list = listSchema.safeParse(parse(text));
  if (status !== 200 || !list.success) return foreign(`it answers ${status} to GET /v1/models`);
  const model = list.data.data.find(({ id }) => id === input.servedName);
  if (model === undefined) return foreign('it serves another model');
  return {
    state: 'ready',
    contextTokens: model.max_model_len ?? null,
    details: model.meta ?? {},
  };
}

function foreign(detail: string): Readiness {
  return { state: 'foreign', detail };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads the page that `server/metrics.ts` writes: one value a name, no labels. */
export function toFigures(text: string): ServerFigures {
  const values = new Map(
    [...text.matchAll(/^llamacpp:(\w+) (\S+)$/gm)].map((match) => [match[1], Number(match[2])]),
  );
  const value = (name: string): number | null => {
    const found = values.get(name);
    return found === undefined || !Number.isFinite(found) ? null : found;
  };
  const evaluated = value('prompt_tokens_total');
  const cached = value('prompt_tokens_cached_total');
  const queried = evaluated === null || cached === null ? null : evaluated + cached;
  return {
    running: value('requests_processing'),
    waiting: value('requests_deferred'),
    kvUsed: value('kv_cache_usage_ratio'),
    // As vLLM counts them: all tokens that came in, whether evaluated or found in the cache.
    promptTokens: queried ?? evaluated,
    generatedTokens: value('tokens_predicted_total'),
    cacheQueriedTokens: queried,
    cacheHitTokens: cached,
    firstTokenSecondsSum: value('time_to_first_token_seconds_sum'),
    firstTokenCount: value('time_to_first_token_seconds_count'),
  };
}
