import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { messageOf, VivariumError } from '../../../lib/index.ts';
import { refusedError, unreachableError } from '../../client/fault-errors.ts';
import { bodyText } from '../../client/faults.ts';
import { redact, shownUrl } from '../../client/redact.ts';
import type { Probe } from './http.ts';
import { modelRowSchema, type ModelRow } from './window.ts';

const listSchema = z.looseObject({ data: z.array(modelRowSchema) });

/** How long a server that says it is loading is waited for. */
const LOADING_LIMIT_MS = 10 * 60_000;
const LOADING_POLL_MS = 1_000;

export interface ModelList {
  /** The base that answered: the given one, or with `/v1` added. */
  baseUrl: string;
  /** `null` when the server has no list of models. */
  rows: ModelRow[] | null;
}

/**
 * Asks a server for its models. One that is still loading (503) is waited for.
 * @throws VivariumError `endpoint_unreachable`, `endpoint_refused`, `endpoint_error`
 */
export async function listModels(
  probe: Probe,
  baseUrl: string,
  options: {
    secrets: readonly string[];
    keyVariable?: string | undefined;
    signal?: AbortSignal;
    onLog?: (line: string) => void;
  },
): Promise<ModelList> {
  const bases = baseUrl.endsWith('/v1') ? [baseUrl] : [baseUrl, `${baseUrl}/v1`];
  for (const base of bases) {
    const { status, body, text } = await askUntilLoaded(probe, base, options);
    const said = `${String(status)}: ${redact(bodyText(text), options.secrets)}`;
    if (status === 401 || status === 403) {
      throw refusedError(shownUrl(base), said, options.keyVariable);
    }
    if (status === 404 || status === 405 || status === 501) continue;
    if (status !== 200) throw strange(base, said);
    const list = listSchema.safeParse(body);
    if (!list.success) throw strange(base, 'its answer to GET /models is not a list of models');
    return { baseUrl: base, rows: list.data.data };
  }
  return { baseUrl, rows: null };
}

async function askUntilLoaded(
  probe: Probe,
  base: string,
  options: { secrets: readonly string[]; signal?: AbortSignal; onLog?: (line: string) => void },
): ReturnType<Probe['get']> {
  const until = performance.now() + LOADING_LIMIT_MS;
  for (let asked = 0; ; asked += 1) {
    const answer = await ask(probe, base, options);
    if (answer.status !== 503 || performance.now() > until) return answer;
    if (asked === 0) options.onLog?.(`${shownUrl(base)} is still loading its model`);
    await sleep(LOADING_POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
  }
}

async function ask(
  probe: Probe,
  base: string,
  options: { secrets: readonly string[]; signal?: AbortSignal },
): ReturnType<Probe['get']> {
  try {
    return await probe.get(`${base}/models`);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw unreachableError(shownUrl(base), redact(reasonOf(error), options.secrets));
  }
}

/** Several addresses were tried: the message is with each of them. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return messageOf(error);
}

function strange(base: string, text: string): VivariumError {
  return new VivariumError(
    'endpoint_error',
    `${shownUrl(base)} does not answer like a model server: ${text}`,
    'Check the base URL; it usually ends in /v1.',
  );
}
