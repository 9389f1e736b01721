import { lookup as dnsLookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** The part of `fetch` that the chat client needs. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `localhost` is both loopback addresses whatever the hosts file says, so that a server that listens
 * on only one of them is found (S09).
 */
const lookupBothLoopbacks: LookupFunction = (hostname, options, callback) => {
  if (hostname !== 'localhost') {
    dnsLookup(hostname, options, callback);
    return;
  }
  if (options.all === true) {
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    return;
  }
  if (options.family === 6 || options.family === 'IPv6') callback(null, '::1', 6);
  else callback(null, '127.0.0.1', 4);
};

/**
 * A `fetch` over node:http, for two reasons. Node's own gives up after 300 s without headers or
 * between two pieces of the body, and a long prefill on a CPU takes longer (L09); here no time limit
 * exists but the caller's signal. And agents of our own never go through a proxy, whatever
 * HTTP_PROXY or NODE_USE_ENV_PROXY say (S08). Redirects are not followed.
 */
export function createHttpFetch(): Fetch {
  const shared = { keepAlive: true, autoSelectFamily: true, lookup: lookupBothLoopbacks };
  const httpAgent = new HttpAgent(shared);
  const httpsAgent = new HttpsAgent(shared);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const agent = url.protocol === 'https:' ? httpsAgent : httpAgent;
    const message = await send(url, init, agent);
    return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, {
      status: message.statusCode ?? 502,
      headers: headersOf(message),
    });
  };
}

function send(
  url: URL,
  init: RequestInit,
  agent: HttpAgent | HttpsAgent,
): Promise<IncomingMessage> {
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
  const headers: Record<string, string> = Object.fromEntries(new Headers(init.headers));
  if (body) headers['content-length'] = String(body.length);
  const signal = init.signal ?? undefined;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = start(url, { method: init.method ?? 'GET', headers, agent });
    const abort = (): void => {
      request.destroy(new DOMException('The request was aborted.', 'AbortError'));
    };
    signal?.addEventListener('abort', abort, { once: true });
    request.on('close', () => signal?.removeEventListener('abort', abort));
    request.on('error', reject);
    // A dead peer is found by the kernel, since no time limit of ours looks for it.
    request.on('socket', (socket) => socket.setKeepAlive(true, 30_000));
    request.on('response', resolve);
    request.end(body);
  });
}

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
