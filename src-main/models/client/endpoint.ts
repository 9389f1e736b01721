import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Completion, CompletionRequest } from '../types.ts';
import { boundLines, boundReply } from './bound-lines.ts';
import { createCollector, type ChunkDelta, type Collected, type StreamChunk } from './collect.ts';
import { NotStreamedError, StreamCutError, type FailedResponse } from './faults.ts';
import { createHttpFetch, type Fetch } from './http-fetch.ts';
import { loadClient } from './load-client.ts';
import { redact } from './redact.ts';
import { readTurnTokens } from './turn-tokens.ts';

export interface EndpointOptions {
  /** Base of the API, usually ending in `/v1`; without user, password or query. */
  baseUrl: string;
  /** Sent as a bearer token; `null` for servers without a key. */
  apiKey: string | null;
  /** Sent with every request, e.g. an `authorization` of another kind. */
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Whatever must never be shown or recorded: the key, and parts of the URL. */
  secrets?: readonly string[];
  /** Variable of the environment that holds the key, for messages. Default `VIVARIUM_API_KEY`. */
  keyVariable?: string;
}

/** One try of one turn. */
export interface StreamAttempt {
  completion: Promise<Omit<Completion, 'retries'>>;
  /** What came back when it failed. */
  response: FailedResponse;
  /** Whether any piece of the reply was passed on. */
  started(): boolean;
}

export interface Endpoint {
  stream(
    body: Record<string, unknown>,
    request: Pick<CompletionRequest, 'signal' | 'onDelta'>,
  ): StreamAttempt;
  redact(text: string): string;
}

/** Longest delay of a timer: no limit in practice, the SDK wants a number. */
const NO_TIMEOUT_MS = 2_147_483_647;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** The connection to one server through the `openai` package, without its retries and time limits. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const send = createHttpFetch();
  let client: Promise<OpenAI> | undefined;
  return {
    stream(body, request) {
      // Loaded at the first turn: the package takes 0.1 s to load.
      client ??= openClient(options);
      return streamOnce(client, send, body, request);
    },
    redact: (text) => redact(text, options.secrets ?? []),
  };
}

async function openClient(options: EndpointOptions): Promise<OpenAI> {
  const Client = await loadClient();
  return new Client({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? 'none',
    // Named explicitly so that nothing is taken from the user's environment for OpenAI itself.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    defaultHeaders: { ...PLAIN_HEADERS, ...keyHeader(options.apiKey), ...options.headers },
    ...(options.query ? { defaultQuery: { ...options.query } } : {}),
  });
}

/** The SDK tells servers about the machine it runs on; that is nobody's business. */
const PLAIN_HEADERS: Readonly<Record<string, string | null>> = {
  'User-Agent': 'vivarium',
  'X-Stainless-Lang': null,
  'X-Stainless-Package-Version': null,
  'X-Stainless-OS': null,
  'X-Stainless-Arch': null,
  'X-Stainless-Runtime': null,
  'X-Stainless-Runtime-Version': null,
  'X-Stainless-Retry-Count': null,
  'X-Stainless-Timeout': null,
};

function keyHeader(apiKey: string | null): Record<string, null> {
  return apiKey === null ? { Authorization: null } : {};
}

interface Trace {
  response: FailedResponse;
  /** When the request left, its body built. */
  sentAt: number;
  firstAt: number | null;
  started: boolean;
}

function streamOnce(
  client: Promise<OpenAI>,
  send: Fetch,
  body: Record<string, unknown>,
  request: Pick<CompletionRequest, 'signal' | 'onDelta'>,
): StreamAttempt {
  const trace: Trace = {
    response: { status: null, body: '', retryAfter: null },
    sentAt: performance.now(),
    firstAt: null,
    started: false,
  };
  const completion = run();
  return { completion, response: trace.response, started: () => trace.started };

  async function run(): Promise<Omit<Completion, 'retries'>> {
    const traced = (await client).withOptions({ fetch: traceFetch(send, trace, isWhole(body)) });
    const answer: unknown = await traced.chat.completions.create(
      // The body has members of local servers that the SDK's type does not know.
      body as unknown as ChatCompletionCreateParamsStreaming,
      request.signal ? { signal: request.signal } : {},
    );
    const whole = isWhole(body) ? (answer as WholeReply) : null;
    const collector = createCollector((delta) => {
      trace.started = true;
      if (whole === null) trace.firstAt ??= performance.now();
      request.onDelta?.(delta);
    });
    if (whole === null) await consume(answer as AsyncIterable<unknown>, collector.add);
    else collector.add(chunkOf(whole));
    const tokens = whole === null ? undefined : readTurnTokens(whole);
    return { ...toCompletion(collector.result(), trace), ...(tokens && { tokens }) };
  }
}

/** A reply that was not asked for as a stream. */
type WholeReply = Omit<StreamChunk, 'choices'> & {
  choices?: { message?: ChunkDelta | null; finish_reason?: string | null }[] | null;
};

function isWhole(body: Record<string, unknown>): boolean {
  return body['stream'] === undefined;
}

/** A whole reply is a stream of one piece. */
function chunkOf({ choices, ...rest }: WholeReply): StreamChunk {
  const pieces = (choices ?? []).map(({ message, finish_reason }) => ({
    delta: message ?? null,
    finish_reason: finish_reason ?? null,
  }));
  return { ...rest, choices: pieces };
}

/** Reads to the end; a connection that breaks after the finish reason has still brought all. */
async function consume(
  stream: AsyncIterable<unknown>,
  add: (chunk: StreamChunk) => void,
): Promise<void> {
  let finished = false;
  try {
    for await (const chunk of stream) {
      // Servers send more and less than the SDK's type says; the collector expects nothing.
      const seen = chunk as StreamChunk;
      add(seen);
      finished ||= Boolean(seen.choices?.[0]?.finish_reason);
    }
  } catch (error) {
    if (!finished) throw error;
  }
}

function toCompletion(collected: Collected, trace: Trace): Omit<Completion, 'retries'> {
  const { finishReason, ...reply } = collected;
  if (finishReason === null) throw new StreamCutError('the reply was cut off in mid-stream');
  if (finishReason === 'abort' || finishReason === 'error') {
    throw new StreamCutError(`the server gave up on the reply (finish reason "${finishReason}")`);
  }
  const cut = finishReason === 'length';
  return {
    ...reply,
    finish: cut ? 'cut' : reply.toolCalls.length > 0 ? 'calls' : 'stop',
    timings: {
      firstTokenMs: trace.firstAt === null ? null : trace.firstAt - trace.sentAt,
      totalMs: performance.now() - trace.sentAt,
    },
  };
}

/** Notes when the request left and what a failed response said: the SDK drops parts of it. */
function traceFetch(send: Fetch, trace: Trace, whole: boolean): Fetch {
  return async (url, init) => {
    trace.sentAt = performance.now();
    const response = await send(url, init);
    if (response.ok && whole) return boundReply(response);
    const isStream = !/\b(json|html)\b/.test(response.headers.get('content-type') ?? '');
    if (response.ok && isStream) return boundLines(response);
    const body = await readBounded(response);
    if (response.ok) throw new NotStreamedError(body);
    trace.response.status = response.status;
    trace.response.body = body;
    trace.response.retryAfter = response.headers.get('retry-after');
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
