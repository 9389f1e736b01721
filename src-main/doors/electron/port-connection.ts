import type { Connection } from '../rpc/index.ts';

/** The members of Electron's `MessagePortMain` that are used. */
export interface MainPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

/**
 * One MessagePort as the channel wants it. Text is a frame; a number says how many frames the page's
 * side has taken, which a port does not tell by itself.
 */
export function portConnection(port: MainPort): Connection {
  const unread: (() => void)[] = [];
  const closed = Promise.withResolvers<void>();
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const resolve of unread.splice(0)) resolve();
    closed.resolve();
  };
  port.on('close', end);
  return {
    send(frame) {
      if (!isOpen) return Promise.resolve();
      return new Promise((resolve) => {
        unread.push(resolve);
        port.postMessage(frame);
      });
    },
    onMessage(listener) {
      port.on('message', ({ data }) => {
        if (typeof data === 'string') listener(data);
        else if (typeof data === 'number') for (const taken of unread.splice(0, data)) taken();
      });
      port.start();
    },
    onClose: (listener) => void closed.promise.then(listener),
    close() {
      port.close();
      // What closes its own end is told nothing.
      end();
    },
  };
}
