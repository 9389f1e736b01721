import type { QueryClient } from '@tanstack/react-query';
import type { LiveItem, StoredEvent } from '../../src-main/contract/index.ts';
import { type Activities, type Activity, followActivity } from './activities.ts';
import { applyEvents, type SessionEvents, withEvents } from './live-cache.ts';
import { oncePerFrame } from './once-per-frame.ts';
import type { Client } from './types.ts';

export interface Live {
  /** Follows the core until the signal; resolves then. */
  run(signal: AbortSignal): Promise<void>;
  /** Of one attempt; of the one that was heard of last where none is named. */
  activity(session: string, attempt: number | null): Activity | undefined;
  /** Tells when activities changed. Returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** Tells each batch of new events, e.g. for notifications. Returns what ends it. */
  onEvents(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** A record as it is read, with what came while it was. */
  catchUp(session: string, read: () => Promise<SessionEvents>): Promise<SessionEvents>;
}

/** The page's one subscription: what comes alone is applied at once, the rest of a frame together. */
export function createLive(client: Client, queries: QueryClient): Live {
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(events: readonly StoredEvent[]) => void>();
  const activities: Activities = new Map();
  const readings = new Set<StoredEvent[]>();
  let waiting: LiveItem[] = [];

  const flush = oncePerFrame(() => {
    const items = waiting;
    waiting = [];
    const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
    for (const item of items) followActivity(activities, item);
    for (const reading of readings) reading.push(...events);
    if (events.length > 0) {
      applyEvents(queries, events);
      for (const listener of eventListeners) listener(events);
    }
    for (const listener of listeners) listener();
  });

  return {
    async run(signal) {
      for await (const item of client.stream('live', { after: null }, { signal })) {
        waiting.push(item);
        flush();
      }
    },
    activity(session, attempt) {
      const own = activities.get(session);
      return attempt === null ? [...(own?.values() ?? [])].at(-1) : own?.get(attempt);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEvents(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    async catchUp(session, read) {
      const meanwhile: StoredEvent[] = [];
      readings.add(meanwhile);
      try {
        const known = await read();
        return withEvents(
          known,
          meanwhile.filter(({ sessionId }) => sessionId === session),
        );
      } finally {
        readings.delete(meanwhile);
      }
    },
  };
}
