import type { Handlers } from '../../contract/index.ts';
import type { Environment } from '../environment.ts';

export function liveHandlers(environment: Environment): Pick<Handlers, 'live'> {
  return {
    live: ({ after, session }, { signal }) => {
      const only = session === undefined ? undefined : environment.store.session(session).sessionId;
      return environment.live.listen({ after, signal, session: only });
    },
  };
}
