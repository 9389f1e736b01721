import type { Handlers } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';

export function liveHandlers(environment: Environment): Pick<Handlers, 'live'> {
  return {
    // A generator of its own, so that a session that is not there is a fault of the stream.
    live: async function* ({ after, session }, { signal }) {
      const { store, live } = environment;
      const only = session === undefined ? undefined : store.session(session).sessionId;
      return yield* live.listen({ after, signal, session: only });
    },
  };
}
