import type { WebSocket } from 'ws';
import type { Connection } from '../rpc/index.ts';

/** A browser that is there answers within this; one that sleeps comes back by itself. */
const PULSE_MS = 30_000;

const NORMAL = 1000;
const ONLY_TEXT = 1003;

/** One WebSocket as the channel wants it. */
export function socketConnection(socket: WebSocket): Connection {
  const unsent = new Set<() => void>();
  let isThere = true;
  socket.on('pong', () => (isThere = true));
  // Its 'close' follows, and says all that is of use.
  socket.on('error', () => undefined);
  const pulse = setInterval(() => {
    if (!isThere) socket.terminate();
    isThere = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, PULSE_MS);
  socket.on('close', () => {
    clearInterval(pulse);
    for (const resolve of unsent) resolve();
  });
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          unsent.delete(done);
          resolve();
        };
        unsent.add(done);
        socket.send(frame, done);
      });
    },
    onMessage(listener) {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) socket.close(ONLY_TEXT, 'text only');
        else listener(data.toString('utf8'));
      });
    },
    onClose: (listener) => void socket.on('close', listener),
    close(reason) {
      socket.close(NORMAL, reason);
      // One that does not read would not see that, either.
      socket.terminate();
    },
  };
}
