import type { Store } from '../store/index.ts';
import type { ServerGlimpse } from './cache-fall.ts';

/** The server that a model is on, where its owner keeps looks at it in the store. */
export interface WatchedServer {
  /** As the samples name it. */
  name: string;
  /** Conversations it keeps at a time; `null` = not known. */
  sequences: number | null;
}

/** Before the last step, so that a look is there to compare with. */
const BACK_MS = 5000;

/** Makes the function that says what is known of a server since a moment. */
export function serverGlimpses(
  store: Pick<Store, 'serverSamples'>,
  server: WatchedServer | null,
): (since: number) => ServerGlimpse | null {
  return (since) => {
    if (server === null) return null;
    const looks = store.serverSamples(server.name, { since: since - BACK_MS, resolution: 1 });
    const figures = looks.flatMap((look) => look.figures ?? []);
    const generated = figures.flatMap(({ generatedTokens }) => generatedTokens ?? []);
    return {
      restarted: generated.some((count, index) => count < (generated[index - 1] ?? 0)),
      requests: highest(
        figures.map(({ running, waiting }) => (running === null ? null : running + (waiting ?? 0))),
      ),
      sequences: server.sequences,
      kvUsed: highest(figures.map(({ kvUsed }) => kvUsed)),
    };
  };
}

function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
