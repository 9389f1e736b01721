import type { StreamName } from '../../src-main/contract/index.ts';
import { ask, follow } from './ask.ts';
import { Exchanges } from './exchanges.ts';
import { clientClosed, pageRefused } from './failures.ts';
import { followLive } from './follow-live.ts';
import { Link } from './link.ts';
import type { Connect } from './transport.ts';
import type { CallOptions, Client, ClientStream } from './types.ts';

/**
 * The page's way to the core over any transport. Opens the connection at once and again after each
 * loss. Calls that were under way then are rejected with `connection_lost`, but for those that only
 * look, which are asked again; `live` goes on where it was; other streams end.
 */
export function createClient({ connect }: { connect: Connect }): Client {
  // The link tells the exchanges and they use it: one of the two has to come first.
  const wire: { link?: Link } = {};
  const exchanges = new Exchanges({
    send: (frame) => wire.link?.send(frame),
    restart: () => wire.link?.restart(),
  });
  const link = new Link(connect, {
    onOpen: () => exchanges.onOpen(),
    onFrame: (frame) => exchanges.onFrame(frame),
    onLost: () => exchanges.onLost(),
    onRefused: () => exchanges.end(pageRefused()),
  });
  wire.link = link;
  return {
    call: (name, input, options = {}) => ask(exchanges, name, input, options),
    stream: (name, input, options = {}) => streamOf(exchanges, name, input, options),
    connection: {
      current: () => link.state(),
      subscribe: (listener) => link.subscribe(listener),
    },
    close() {
      exchanges.end(clientClosed());
      link.close();
    },
  };
}

function streamOf<N extends StreamName>(
  exchanges: Exchanges,
  name: N,
  input: Parameters<typeof follow<N>>[2],
  options: CallOptions,
): ClientStream<N> {
  if (name !== 'live') return follow(exchanges, name, input, options);
  // TypeScript does not narrow `N` by its value.
  return followLive(
    exchanges,
    input as Parameters<typeof followLive>[1],
    options,
  ) as ClientStream<N>;
}
