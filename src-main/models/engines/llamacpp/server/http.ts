import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../../../../lib/index.ts';
import { type ChatRequest, chatRequestSchema } from './chat-request.ts';
import { type ChatBackend, complete } from './complete.ts';
import { refuseBrowsers } from './host-guard.ts';
import { HttpError } from './http-error.ts';
import { createJsonWriter, createStreamWriter, sendJson, sendText } from './writers.ts';

/** A history of 100,000 tokens is about half a megabyte. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Longer than a client pauses between turns: a kept connection must not close under its request. */
const KEEP_ALIVE_MS = 10 * 60_000;

export interface HttpOptions {
  key: string;
  name: string;
  /** Facts for `/v1/models`. */
  meta: Record<string, string | number>;
}

/** The OpenAI-compatible server over a loaded model; not listening yet. */
export function createHttpServer(backend: ChatBackend, options: HttpOptions): Server {
  const server = createServer((request, response) => {
    route(backend, options, request, response).catch((error: unknown) => {
      refuse(response, error);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function route(
  backend: ChatBackend,
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseBrowsers(request);
  const path = (request.url ?? '/').split('?', 1)[0];
  const what = `${request.method} ${path}`;
  if (what === 'GET /health' || what === 'GET /v1/health') {
    return sendJson(response, 200, { status: 'ok' });
  }
  if (!hasKey(request, options.key)) {
    throw new HttpError(401, 'authentication_error', 'The API key is missing or wrong.');
  }
  if (what === 'GET /v1/models') return sendJson(response, 200, listModels(backend, options));
  if (what === 'GET /metrics') return sendText(response, metricsOf(backend));
  if (what === 'POST /v1/chat/completions') return chat(backend, options, request, response);
  throw new HttpError(404, 'not_found_error', `There is no ${what}.`);
}

function hasKey(request: IncomingMessage, key: string): boolean {
  // Digests have one length, so that not even the length of the key shows in the time taken.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const given = request.headers.authorization ?? '';
  return timingSafeEqual(digest(given), digest(`Bearer ${key}`));
}

function listModels(backend: ChatBackend, options: HttpOptions): object {
  const model = {
    id: options.name,
    object: 'model',
    owned_by: 'vivarium',
    max_model_len: backend.contextTokens,
    meta: { ...options.meta, n_ctx: backend.contextTokens },
  };
  return { object: 'list', data: [model] };
}

function metricsOf({ slots, meter, contextTokens, parallel }: ChatBackend): string {
  const { running, waiting, usedTokens } = slots.load();
  return meter.render({
    processing: running,
    deferred: waiting,
    usedTokens,
    roomTokens: contextTokens * parallel,
  });
}

async function chat(
  backend: ChatBackend,
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = parseChat(await readBody(request));
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The client went away.')));
  if (body.stream !== true) {
    return complete(backend, body, createJsonWriter(response, options.name), gone.signal);
  }
  const includeUsage = body.stream_options?.include_usage === true;
  const writer = createStreamWriter(response, options.name, includeUsage);
  try {
    await complete(backend, body, writer, gone.signal);
  } catch (error) {
    if (!response.headersSent) throw error;
    writer.fail(toHttpError(error).toBody());
  }
}

function parseChat(text: string): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, 'invalid_request_error', `The body is not JSON: ${messageOf(error)}`);
  }
  const parsed = chatRequestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw new HttpError(400, 'invalid_request_error', `${where}: ${issue?.message ?? 'invalid'}`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new HttpError(413, 'invalid_request_error', 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const refusal = toHttpError(error);
  sendJson(response, refusal.status, refusal.toBody());
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return new HttpError(500, 'server_error', messageOf(error));
}
