import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChooser, requestSchema, type Choice, type ScriptRequest } from './choose.ts';
import type { Script, ScriptFault, ScriptReply } from './format.ts';
import { toChunks, toCompletionBody } from './reply-shape.ts';

export interface ScriptServer {
  port: number;
  /** Ends at once, running replies included; safe to call twice. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Serves a script on a free port of 127.0.0.1, to bearers of the key only. */
export async function serveScript(script: Script, key: string): Promise<ScriptServer> {
  const choose = createChooser(script);
  const closing = new AbortController();
  const server = createServer((request, response) => {
    answer(request, response, { script, key, choose, signal: closing.signal }).catch(() => {
      // The client went away, or we are closing: nobody is left to tell.
      response.destroy();
    });
  });
  await listen(server);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Context {
  script: Script;
  key: string;
  choose: (request: ScriptRequest) => Choice;
  signal: AbortSignal;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  if (request.headers.authorization !== `Bearer ${context.key}`) {
    sendError(response, 401, 'wrong or missing key', 'invalid_api_key');
    return;
  }
  const { script } = context;
  if (request.method === 'GET' && request.url === '/v1/models') {
    const window = script.contextTokens;
    const model = { id: script.model, object: 'model', created: 0, owned_by: 'vivarium' };
    const data = [window === null ? model : { ...model, max_model_len: window }];
    sendJson(response, 200, { object: 'list', data });
    return;
  }
  if (request.method === 'POST' && request.url === '/v1/chat/completions') {
    await complete(await readBody(request), response, context);
    return;
  }
  sendError(response, 404, 'no such path', 'not_found');
}

async function complete(text: string, response: ServerResponse, context: Context): Promise<void> {
  const parsed = requestSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    sendError(response, 400, 'the body is not a chat completion request', 'invalid_request');
    return;
  }
  const body = parsed.data;
  const index = body.messages.filter((message) => message.role === 'assistant').length;
  const choice = context.choose(body);
  if (choice.kind === 'refuse') {
    sendError(response, choice.status, choice.message, choice.code);
    return;
  }
  if (choice.kind === 'fault') {
    await fail(choice.fault, choice.reply, response, context, index);
    return;
  }
  await sleep(choice.reply.delay_ms ?? 0, undefined, { signal: context.signal });
  if (body.stream !== true) {
    sendJson(response, 200, toCompletionBody(choice.reply, context.script.model, index));
    return;
  }
  startStream(response);
  for (const chunk of toChunks(choice.reply, context.script.model, index)) send(response, chunk);
  response.end('data: [DONE]\n\n');
}

async function fail(
  fault: ScriptFault,
  reply: ScriptReply | null,
  response: ServerResponse,
  context: Context,
  index: number,
): Promise<void> {
  if (fault.fault === 'status') {
    sendError(response, fault.status, fault.message ?? 'a fault of the script', 'scripted_fault');
    return;
  }
  if (fault.fault === 'reset') {
    response.destroy();
    return;
  }
  startStream(response);
  const chunks = toChunks(reply ?? { content: 'cut' }, context.script.model, index);
  const half = chunks.slice(0, Math.max(1, Math.floor(chunks.length / 2)));
  for (const chunk of half) send(response, chunk);
  if (fault.fault === 'close_stream') {
    response.end();
    return;
  }
  // The pieces must have left before the connection breaks.
  await new Promise<void>((resolve) => response.write(': cut\n\n', () => resolve()));
  response.destroy();
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function send(response: ServerResponse, chunk: object): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string, code: string): void {
  sendJson(response, status, { error: { message, code, type: code } });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = chunk as Buffer;
    chunks.push(piece);
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the request is too large');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
