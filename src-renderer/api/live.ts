import type { QueryClient } from '@tanstack/react-query';
import type { LiveItem, StoredEvent } from '../../src-main/contract/index.ts';
import { type Activity, afterStep, nextActivity } from './activities.ts';
import { applyEvents, type SessionEvents, withEvents } from './live-cache.ts';
import type { Client } from './types.ts';

/** Events kept for a record that is being read while they come. */
const KEPT_EVENTS = 2_000;

/** A page in the background is given no frames; its caches are brought up to date by this. */
const HIDDEN_MS = 500;

export interface Live {
  /** Follows the core until the signal; resolves then. */
  run(signal: AbortSignal): Promise<void>;
  activity(session: string): Activity | undefined;
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
  const activities = new Map<string, Activity>();
  let recent: StoredEvent[] = [];
  let waiting: LiveItem[] = [];
  let scheduled = false;

  const flush = () => {
    const items = waiting;
    waiting = [];
    scheduled = false;
    const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
    for (const item of items) follow(activities, item);
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
    activity: (session) => activities.get(session),
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

function follow(activities: Map<string, Activity>, item: LiveItem): void {
  if (item.kind === 'activity') {
    activities.set(item.sessionId, nextActivity(activities.get(item.sessionId), item));
    return;
  }
  if (item.kind !== 'event') return;
  const { sessionId, body } = item.event;
  const known = activities.get(sessionId);
  if (known === undefined) return;
  if (body.type === 'step.finished') activities.set(sessionId, afterStep(known));
  if (body.type === 'session.finished') activities.delete(sessionId);
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
