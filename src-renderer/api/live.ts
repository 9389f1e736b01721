import type { QueryClient } from '@tanstack/react-query';
import type { LiveItem, StoredEvent } from '../../src-main/contract/index.ts';
import { type Activities, type Activity, followActivity } from './activities.ts';
import { applyEvents, type SessionEvents, withEvents } from './live-cache.ts';
import type { Client } from './types.ts';

/** Events kept for a record that is being read while they come. */
const KEPT_EVENTS = 2_000;

/** A page in the background is given no frames; its caches are brought up to date by this. */
const HIDDEN_MS = 500;

export interface Live {
  /** Follows the core until the signal; resolves then. */
  run(signal: AbortSignal): Promise<void>;
  /** Of one attempt; of the one that was heard of last where none is named. */
  activity(session: string, attempt: number | null): Activity | undefined;
  /** Tells when activities changed. Returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** Tells each batch of new events, e.g. for notifications. Returns what ends it. */
  onEvents(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** A record just read, with what came while it was. */
  caughtUp(session: string, read: SessionEvents): SessionEvents;
}

/** The page's one subscription: what comes within a frame is applied at once at its start. */
export function createLive(client: Client, queries: QueryClient): Live {
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(events: readonly StoredEvent[]) => void>();
  const activities: Activities = new Map();
  let recent: StoredEvent[] = [];
  let waiting: LiveItem[] = [];
  let scheduled = false;

  const flush = () => {
    const items = waiting;
    waiting = [];
    scheduled = false;
    const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
    for (const item of items) followActivity(activities, item);
    recent = [...recent, ...events].slice(-KEPT_EVENTS);
    if (events.length > 0) {
      applyEvents(queries, events);
      for (const listener of eventListeners) listener(events);
    }
    for (const listener of listeners) listener();
  };

  return {
    async run(signal) {
      for await (const item of client.stream('live', { after: null }, { signal })) {
        waiting.push(item);
        if (!scheduled) atNextFrame(flush);
        scheduled = true;
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
    caughtUp: (session, read) =>
      withEvents(
        read,
        recent.filter(({ sessionId }) => sessionId === session),
      ),
  };
}

/** Runs once at the next frame, or soon where the page is hidden and is given none. */
function atNextFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    run();
  };
  requestAnimationFrame(once);
  setTimeout(once, HIDDEN_MS);
}
