import type { StoredEvent } from '../contract/index.ts';
import { messageOf } from '../lib/index.ts';

export interface Subscribers {
  add(listener: (event: StoredEvent) => void): () => void;
  notify(events: readonly StoredEvent[]): void;
}

/**
 * Listeners of this process's appends. They hear every event once and in order, also when one of
 * them appends; a listener that throws neither undoes the append nor silences the others.
 */
export function createSubscribers(): Subscribers {
  const listeners = new Set<(event: StoredEvent) => void>();
  const waiting: StoredEvent[] = [];
  let delivering = false;

  function deliver(event: StoredEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (thrown) {
        process.emitWarning(`a listener failed at event ${event.number}: ${messageOf(thrown)}`);
      }
    }
  }

  return {
    add(listener) {
      // Wrapped, so that the same function added twice is two subscriptions.
      const own = (event: StoredEvent): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    notify(events) {
      waiting.push(...events);
      if (delivering) return;
      delivering = true;
      try {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          deliver(event);
        }
      } finally {
        delivering = false;
      }
    },
  };
}
