import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Browsers open six at a time for files, and keep some of them for a while. */
export const MAX_PASSING = 192;

/** A browser sends what it asks for at once. */
const HEADERS_WITHIN_MS = 10_000;
const LOOKED_AT_EACH_MS = 2_000;

/** For `createServer`: who connects and says nothing is not waited for. */
export const PATIENCE = {
  headersTimeout: HEADERS_WITHIN_MS,
  requestTimeout: HEADERS_WITHIN_MS,
  connectionsCheckingInterval: LOOKED_AT_EACH_MS,
} as const;

export interface Bound {
  /** It is a channel from now on, and not counted here any more. */
  keep(stream: Duplex): void;
}

/**
 * Bounds the connections that are no channels. One too many ends the one that has been silent for
 * longest, never the one that comes: whoever fills the port, which any user of the machine can do,
 * keeps nobody out. A browser opens a connection again that was ended.
 */
export function boundConnections(server: Server): Bound {
  const passing = new Set<Duplex>();
  const note = (stream: Duplex): void => {
    // The order of a set is that in which things came: the first has been silent for longest.
    passing.delete(stream);
    passing.add(stream);
  };
  server.on('connection', (stream: Duplex) => {
    note(stream);
    stream.on('close', () => passing.delete(stream));
    const [silent] = passing;
    if (passing.size > MAX_PASSING) silent?.destroy();
    // What was destroyed says so later, and must not be counted until then.
    if (silent?.destroyed === true) passing.delete(silent);
  });
  server.on('request', ({ socket }) => note(socket));
  return { keep: (stream) => void passing.delete(stream) };
}
