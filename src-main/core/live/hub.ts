import type { LiveItem } from '../../contract/index.ts';
import type { FixProgress } from '../../fix/index.ts';
import { isAlive } from '../../lib/index.ts';
import type { Store } from '../../store/index.ts';
import { createActivities } from './activities.ts';
import { createTeller } from './activity-of.ts';
import { listen, type Listener, type ListenOptions } from './listen.ts';

/** How often the store is asked for what other processes wrote, while somebody listens. */
const POLL_MS = 200;
/** How often it is looked whether a process that runs a session has died. */
const SIGNS_OF_LIFE_MS = 5_000;

/** What happens now, for those who watch. */
export interface LiveHub {
  report(progress: FixProgress): void;
  /** Events after a number, then what comes; see the contract's `live`. Ends at the signal. */
  listen(options: ListenOptions): AsyncGenerator<LiveItem, Record<string, never>, void>;
  /** Nothing of a session happens any more. */
  forget(sessionId: string): void;
  /** Ends all that listen. */
  close(): void;
}

export function createLiveHub(store: Store): LiveHub {
  /** So that one who comes in the middle of a step sees the whole of it. */
  const current = createActivities();
  const teller = createTeller();
  const closing = new AbortController();
  const audience = createAudience(store);
  const unsubscribe = store.subscribe((event) => {
    current.settle(event);
    audience.wake(event.number);
  });
  return {
    report(progress) {
      const item = teller.tell(progress);
      if (item === null) return;
      current.add(item);
      for (const listener of audience.listeners) listener.add(item);
    },
    listen: (options) =>
      listen(store, {
        ...options,
        signal: AbortSignal.any([options.signal, closing.signal]),
        current: () => current.list(),
        attach: audience.attach,
      }),
    forget(sessionId) {
      current.drop(sessionId);
      teller.forget(sessionId);
    },
    close() {
      closing.abort();
      audience.close();
      unsubscribe();
    },
  };
}

/** Those who listen, and the look at the store while there are any. */
function createAudience(store: Store) {
  const listeners = new Set<Listener>();
  let last = 0;
  let lookedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function wake(number: number): void {
    last = Math.max(last, number);
    for (const listener of listeners) listener.wake();
  }

  function poll(): void {
    const now = performance.now();
    if (now - lookedAt > SIGNS_OF_LIFE_MS) {
      lookedAt = now;
      store.markInterrupted(isAlive);
    }
    const newest = store.lastNumber();
    if (newest > last) wake(newest);
  }

  function close(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    listeners,
    wake,
    close,
    attach(listener: Listener): () => void {
      listeners.add(listener);
      timer ??= setInterval(() => attemptTo(poll), POLL_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
  };
}

/** A store that cannot be read now is asked again; the listeners meet the fault themselves. */
function attemptTo(poll: () => void): void {
  try {
    poll();
  } catch {
    return;
  }
}
