/** The page's client outside a browser: a WebSocket that sends cookie and origin itself. */
import { WebSocket } from 'ws';
import type { Connect } from '../../src-renderer/api/transport.ts';

export interface NodeTransport {
  connect: Connect;
  /** Breaks the connection there is now, without a word to either side. */
  cut(): void;
  /** Connections that were opened so far. */
  opened(): number;
  /** Frames that came so far. */
  received(): number;
}

export function nodeTransport(port: number, cookie: string): NodeTransport {
  let current: WebSocket | undefined;
  let opened = 0;
  let received = 0;
  return {
    cut: () => current?.terminate(),
    opened: () => opened,
    received: () => received,
    connect: (events) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, {
        headers: { cookie, origin: `http://127.0.0.1:${port}` },
        perMessageDeflate: false,
      });
      current = socket;
      socket.on('open', () => {
        opened += 1;
        events.onOpen();
      });
      socket.on('message', (data: Buffer) => {
        received += 1;
        events.onFrame(data.toString('utf8'));
      });
      socket.on('error', () => undefined);
      socket.on('close', () => events.onClose(false));
      return { send: (frame) => socket.send(frame), close: () => socket.close() };
    },
  };
}

/** Exchanges the link that `vivarium serve` printed for a cookie, as `name=value`. */
export async function cookieOf(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`no cookie for ${link}`);
  return cookie;
}
