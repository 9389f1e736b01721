import { z } from 'zod';
import { messageOf } from '../../../lib/index.ts';
import { createHttpFetch, type Fetch } from '../../client/http-fetch.ts';
import type { Readiness, ReachInput, ServerFigures } from '../../servers/types.ts';
import { createProbe, type Probe } from '../endpoint/http.ts';
import { modelRowSchema, readServerFacts, type ModelRow } from '../endpoint/window.ts';

/** Servers on this machine answer these pages at once; one that does not is asked again later. */
const REACH_TIMEOUT_MS = 5_000;
/** Telemetry asks each second and can miss one. */
const FIGURES_TIMEOUT_MS = 2_000;

const listSchema = z.looseObject({ data: z.array(modelRowSchema) });

/** What an engine adds to the common way of looking at a server. */
export interface ReachRules {
  /** Whether it lists its model before it can serve: asked after the list. */
  stillLoading?: (probe: Probe, root: string) => Promise<string | null>;
  /** What a 503 of its list means. */
  unavailable: (body: unknown) => Readiness;
  /** Further facts for people and records, once it is ready; what fails is left out. */
  details?: (probe: Probe, root: string) => Promise<Record<string, string | number>>;
}

/** Asks servers of one engine for their state and figures; keeps connections between the calls. */
export interface Reacher {
  reach(input: ReachInput, rules: ReachRules): Promise<Readiness>;
  /** `null` when the page cannot be read this time. */
  figures(input: ReachInput, read: (text: string) => ServerFigures): Promise<ServerFigures | null>;
}

/** Creates the connections at the first call. */
export function createReacher(): Reacher {
  let send: Fetch | undefined;
  const probeFor = (input: ReachInput, timeoutMs: number): Probe => {
    assertLoopback(input.root);
    send ??= createHttpFetch();
    const headers = { authorization: `Bearer ${input.key}` };
    return createProbe(headers, {}, input.signal, { send, timeoutMs });
  };
  return {
    async reach(input, rules) {
      const probe = probeFor(input, REACH_TIMEOUT_MS);
      try {
        return await look(probe, input, rules);
      } catch (error) {
        input.signal.throwIfAborted();
        return unreached(error);
      }
    },
    async figures(input, read) {
      try {
        const { status, text } = await probeFor(input, FIGURES_TIMEOUT_MS).get(
          `${input.root}/metrics`,
        );
        return status === 200 ? read(text) : null;
      } catch {
        return null;
      }
    },
  };
}

async function look(probe: Probe, input: ReachInput, rules: ReachRules): Promise<Readiness> {
  const answer = await probe.get(`${input.root}/v1/models`);
  if (answer.status === 503) return rules.unavailable(answer.body);
  const row = ownRow(answer, input.servedName);
  if ('state' in row) return row;
  const loading = await rules.stillLoading?.(probe, input.root);
  if (typeof loading === 'string') return { state: 'loading', detail: loading };
  const facts = await readServerFacts(probe, `${input.root}/v1`, row.model);
  const more = (await rules.details?.(probe, input.root).catch(() => null)) ?? {};
  return {
    state: 'ready',
    contextTokens: facts.contextTokens,
    details: { ...facts.details, ...more },
  };
}

/** The model under our name, which has a random part: nobody else's server lists it (S02). */
function ownRow(
  answer: { status: number; body: unknown },
  servedName: string,
): { model: ModelRow } | Readiness {
  const foreign = (detail: string): Readiness => ({ state: 'foreign', detail });
  if (answer.status === 401 || answer.status === 403) {
    return foreign('a server answers there that refuses our key');
  }
  const list = listSchema.safeParse(answer.body).data;
  if (answer.status !== 200 || list === undefined) {
    return foreign(`something answers there that is no model server (${String(answer.status)})`);
  }
  const model = list.data.find(({ id }) => id === servedName);
  if (model) return { model };
  const names = list.data.map(({ id }) => id.slice(0, 80));
  return foreign(`a server answers there that serves ${names.slice(0, 3).join(', ') || 'nothing'}`);
}

/** Engines bind their port early and listen late: nothing that answers is no fault of its own. */
function unreached(error: unknown): Readiness {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ECONNREFUSED') return { state: 'loading', detail: 'it does not listen yet' };
  return { state: 'loading', detail: `it does not answer yet (${messageOf(error)})` };
}

/** Keys of ours are sent nowhere else. */
function assertLoopback(root: string): void {
  const { hostname } = new URL(root);
  if (hostname !== '127.0.0.1' && hostname !== '[::1]') {
    throw new Error(`A server of ours is on loopback, not at ${hostname}.`);
  }
}
