import { VivariumError } from '../../../lib/index.ts';
import { createChatModel, type ChatModelOptions } from '../../client.ts';
import { shownUrl } from '../../client/redact.ts';
import { SAMPLING_PARAMETERS } from '../../client/wire.ts';
import { shownSpec, type EndpointSpec } from '../../spec.ts';
import type { ModelHandle, TrainerUse } from '../../types.ts';
import { createProbe } from './http.ts';
import { listModels } from './models.ts';
import { readServerFacts, type ModelRow } from './window.ts';

export interface OpenEndpointOptions {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  onLog?: (line: string) => void;
  trainer?: TrainerUse;
}

/**
 * Reaches a model server that someone else runs; nothing is started, and `close` ends nothing.
 * @throws VivariumError `endpoint_unreachable`, `endpoint_refused`, `endpoint_error`, and
 * `model_spec_invalid` with the names there are when the one asked for is not among them
 */
export async function openEndpoint(
  spec: EndpointSpec,
  options: OpenEndpointOptions,
): Promise<ModelHandle> {
  const access = accessOf(spec, options.env);
  const probe = createProbe(access.probeHeaders, spec.query, options.signal);
  const { trainer } = options;
  const list = await listModels(probe, spec.baseUrl, {
    ...options,
    ...{ secrets: access.secrets, keyVariable: trainer?.keyVariable },
  });
  const row = list.rows === null ? null : chooseModel(list.rows, spec, list.baseUrl);
  const name = row?.id ?? spec.model ?? trainer?.modelName ?? null;
  if (name === null) throw unnamed(list.baseUrl);
  const facts = await readServerFacts(probe, list.baseUrl, row);
  return {
    chat: createChatModel({
      baseUrl: list.baseUrl,
      apiKey: access.apiKey,
      headers: access.headers,
      query: spec.query,
      secrets: access.secrets,
      model: name,
      contextTokens: facts.contextTokens,
      ...(trainer && underTrainer(trainer)),
    }),
    info: {
      engine: 'endpoint',
      name,
      spec: shownSpec({ ...spec, baseUrl: list.baseUrl, model: name }),
      contextTokens: facts.contextTokens,
      sha256: null,
      details: facts.details,
    },
    pid: null,
    gone: (signal) => whyGone(spec, list.baseUrl, access, signal),
    close: () => Promise.resolve(),
  };
}

/** Members that a trainer's proxy refuses, sets itself, or would sample otherwise by. */
const WITHHELD = ['stream', 'stream_options', ...SAMPLING_PARAMETERS];

function underTrainer({
  seeded,
  keyVariable,
  longestWaitMs,
}: TrainerUse): Pick<ChatModelOptions, 'withheld' | 'keyVariable' | 'retries'> {
  return {
    withheld: seeded ? WITHHELD : [...WITHHELD, 'seed'],
    ...{ keyVariable, retries: { longestWaitMs } },
  };
}

/** A server that still does not answer after all retries of a request is not waited for. */
async function whyGone(
  spec: EndpointSpec,
  baseUrl: string,
  { probeHeaders, secrets }: Access,
  signal: AbortSignal,
): Promise<Error | null> {
  try {
    await listModels(createProbe(probeHeaders, spec.query, signal), baseUrl, { signal, secrets });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const isGone = error instanceof VivariumError && error.code === 'endpoint_unreachable';
    return isGone ? error : null;
  }
}

interface Access {
  apiKey: string | null;
  headers: Record<string, string>;
  probeHeaders: Record<string, string>;
  secrets: string[];
}

/** The URL's own credentials win over the key of the environment: they were given for this server. */
function accessOf(spec: EndpointSpec, env: Readonly<Record<string, string | undefined>>): Access {
  const { user, password } = spec;
  const secrets = [user, password, ...Object.values(spec.query)];
  if (user !== '' && password !== '') {
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    return { apiKey: null, headers, probeHeaders: headers, secrets: [...secrets, basic] };
  }
  const apiKey = user || password || env['VIVARIUM_API_KEY'] || null;
  if (apiKey === null) return { apiKey, headers: {}, probeHeaders: {}, secrets };
  const probeHeaders = { authorization: `Bearer ${apiKey}` };
  return { apiKey, headers: {}, probeHeaders, secrets: [...secrets, apiKey] };
}

function chooseModel(rows: ModelRow[], spec: EndpointSpec, baseUrl: string): ModelRow {
  const names = rows.map((row) => row.id);
  const listed = names.length === 0 ? 'none' : names.slice(0, 20).join(', ');
  const where = shownUrl(baseUrl);
  if (spec.model === null) {
    const only = rows[0];
    if (only && rows.length === 1) return only;
    throw new VivariumError(
      'model_spec_invalid',
      `${where} has ${String(rows.length)} models and none was named`,
      `Add #name to the URL; there are: ${listed}.`,
    );
  }
  const row = rows.find((each) => each.id === spec.model);
  if (row) return row;
  throw new VivariumError(
    'model_spec_invalid',
    `${where} has no model "${spec.model}"`,
    `Use one of those it has: ${listed}.`,
  );
}

function unnamed(baseUrl: string): VivariumError {
  return new VivariumError(
    'model_spec_invalid',
    `${shownUrl(baseUrl)} does not list its models`,
    'Add #name to the URL.',
  );
}
