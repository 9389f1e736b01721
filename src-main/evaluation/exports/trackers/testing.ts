/** A server on loopback that keeps what it gets, for the tests of this folder. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Receiver {
  to: string;
  received: Received[];
  close(): Promise<void>;
}

/** @param answer what to answer to the request, which is in `received` by then */
export async function receiver(
  answer: (got: Received, count: number) => Answer = () => ({}),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      const got: Received = { method, url, headers, body: JSON.parse(body) };
      received.push(got);
      const { status = 200, headers: own = {}, body: said = {} } = answer(got, received.length);
      response.writeHead(status, { 'content-type': 'application/json', ...own });
      response.end(typeof said === 'string' ? said : JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ to: `http://127.0.0.1:${port}`, received },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
