/** A server of its own and a client that can send anything, for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import type { Handlers } from '../../contract/index.ts';
import { startServer, type Serving } from './start-server.ts';

export interface TestServer extends Serving {
  home: string;
  faults: [string, unknown][];
  /** How often it said that it is locked. */
  locked(): number;
  /** Exchanges the link for a cookie, as `name=value`. */
  login(): Promise<string>;
  dispose(): Promise<void>;
}

/** `again`: on the data folder and the port of one that was closed. */
export async function createTestServer(
  handlers: Partial<Handlers> = {},
  again: { home?: string; port?: number; newLink?: boolean } = {},
): Promise<TestServer> {
  const home = again.home ?? mkdtempSync(path.join(os.tmpdir(), 'serve-'));
  const renderer = path.join(home, 'renderer');
  mkdirSync(path.join(renderer, 'assets'), { recursive: true });
  writeFileSync(path.join(renderer, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(path.join(renderer, 'assets', 'index-CHSs-2Kp.js'), 'void 0;');
  const faults: [string, unknown][] = [];
  let locked = 0;
  const server = await startServer({
    ...{ home, handlers, renderer, port: again.port ?? 0, newLink: again.newLink ?? false },
    onFault: (name, thrown) => void faults.push([name, thrown]),
    onLocked: () => void (locked += 1),
  });
  return {
    ...server,
    ...{ home, faults },
    locked: () => locked,
    login: async () => {
      const { headers } = await ask(server.port, { path: server.link().replace(/^.*\//, '/') });
      return (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    },
    dispose: async () => {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** One request exactly as it is said: no path is made tidy, no header added but Host. */
export function ask(
  port: number,
  {
    path: requestPath = '/',
    method = 'GET',
    headers = {},
  }: { path?: string; method?: string; headers?: Record<string, string> },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path: requestPath, headers, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on('error', reject);
    request.end();
  });
}

export interface TestSocket {
  socket: WebSocket;
  /** Frames that came, as text. */
  frames: string[];
  closed: Promise<number>;
}

/** Opens a WebSocket; rejects with the status when the upgrade is refused. */
export function openSocket(
  port: number,
  headers: Record<string, string>,
  requestPath = '/rpc',
): Promise<TestSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${requestPath}`, {
      headers,
      perMessageDeflate: false,
    });
    const frames: string[] = [];
    socket.on('message', (data: Buffer) => frames.push(data.toString()));
    const closed = new Promise<number>((ended) => socket.on('close', ended));
    socket.on('open', () => resolve({ socket, frames, closed }));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      reject(new Error(`refused with ${response.statusCode}`));
    });
    socket.on('error', reject);
  });
}
