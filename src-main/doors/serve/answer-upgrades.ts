import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { CONTRACT, MAX_CLIENT_FRAME_CHARS, type Handlers } from '../../contract/index.ts';
import { serveChannel } from '../rpc/index.ts';
import type { Site } from './answer-request.ts';
import type { Bound } from './bound-connections.ts';
import { readCookie } from './cookie.ts';
import { judgeUpgrade } from './judge.ts';
import { peerUser } from './peer-user.ts';
import { socketConnection } from './socket-connection.ts';

/** More windows than anybody looks at. */
const MAX_SOCKETS = 64;

/** A character of JavaScript takes three bytes of UTF-8 at most. */
const MAX_BYTES = MAX_CLIENT_FRAME_CHARS * 3;

const GOING_AWAY = 1001;

export interface Upgrades {
  close(): void;
}

interface Options {
  server: Server;
  bound: Bound;
  site: Site;
  handlers: Partial<Handlers>;
  onFault: (name: string, thrown: unknown) => void;
}

/** Opens a channel for each WebSocket that a page of ours asks for. */
export function answerUpgrades({ server, bound, site, handlers, onFault }: Options): Upgrades {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BYTES,
    perMessageDeflate: false,
  });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const status = refusalOf(site, request) ?? (sockets.clients.size >= MAX_SOCKETS ? 503 : null);
    if (status !== null) {
      refuse(stream, status);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      bound.keep(stream);
      const connection = socketConnection(socket);
      serveChannel({ contract: CONTRACT, handlers, connection, onFault });
    });
  });
  return {
    close() {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Vivarium is ending');
      sockets.close();
      // Browsers answer the closing at once; one that does not is not waited for.
      setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, 500).unref();
    },
  };
}

function refusalOf(
  { port, access }: Site,
  { headers, url, socket }: IncomingMessage,
): number | null {
  if (judgeUpgrade({ headers, port }) !== null) return 403;
  const cookie = readCookie(headers.cookie, port);
  if (!access.isKnown(cookie, () => peerUser(socket))) return 401;
  return url === '/rpc' ? null : 404;
}

function refuse(stream: Duplex, status: number): void {
  stream.on('error', () => undefined);
  // A client that leaves its half open would keep the connection for ever.
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
