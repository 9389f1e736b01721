import type { Connect } from './transport.ts';

/** The address of the channel beside the page, and of what tells whether the page is still known. */
export interface ServeAddress {
  /** `ws://127.0.0.1:PORT/rpc` */
  socket: string;
  /** `http://127.0.0.1:PORT/session` */
  session: string;
}

/** @param page address of the page, as in `location.href` */
export function serveAddress(page: string): ServeAddress {
  const socket = new URL('/rpc', page);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  return { socket: socket.href, session: new URL('/session', page).href };
}

/** The transport of `vivarium serve`. */
export function webSocketTransport(address: ServeAddress): Connect {
  return (events) => {
    const socket = new WebSocket(address.socket);
    let opened = false;
    socket.addEventListener('open', () => {
      opened = true;
      events.onOpen();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') events.onFrame(data);
    });
    socket.addEventListener('close', () => {
      if (opened) events.onClose(false);
      else void isRefused(address.session).then(events.onClose);
    });
    return {
      send: (frame) => socket.send(frame),
      close: () => socket.close(),
    };
  };
}

/** A page cannot see why its socket was not opened, so it asks in a way where it can. */
async function isRefused(session: string): Promise<boolean> {
  try {
    const { status } = await fetch(session, { cache: 'no-store' });
    return status === 401 || status === 403;
  } catch {
    // Nobody is there: the core may be on its way back.
    return false;
  }
}
