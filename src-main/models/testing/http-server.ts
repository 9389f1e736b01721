import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a test server saw it. */
export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface TestServer {
  url: string;
  port: number;
  requests: SeenRequest[];
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, seen: SeenRequest) => void;

/** A server that gives its answers in turn, the last one again and again. */
export async function serveAnswers(
  answers: Answer[],
  options: { host?: string; port?: number } = {},
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const seen = { path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      answer?.(response, seen);
    });
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${String(port)}/v1`,
    port,
    requests,
    close: () => stop(server),
  };
}

/** A status with a JSON body in the shape of OpenAI's errors, or the body given. */
export function status(code: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** The usual shape of an error. */
export function failure(code: number, message: string): Answer {
  return status(code, { error: { message, type: 'test' } });
}

/** Chunks of a stream, then `[DONE]`. */
export function stream(chunks: object[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

/** A stream that says one text. */
export function say(text: string, finish = 'stop'): Answer {
  return stream([delta({ content: text }), delta({}, finish)]);
}

export function delta(value: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta: value, finish_reason: finish }] };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
