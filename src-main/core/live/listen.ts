import type { LiveItem } from '../../contract/index.ts';
import type { Store } from '../../store/index.ts';
import { createActivities, type ActivityItem } from './activities.ts';

/** Read at a time: few enough that a listener who does not take holds little memory. */
const BATCH = 16;
/** About 30 frames a second. */
const FRAME_MS = 33;

export interface ListenOptions {
  /** `null` = from now on. */
  after: number | null;
  session?: string | undefined;
  signal: AbortSignal;
}

export interface Listener {
  add(item: ActivityItem): void;
  /** There may be new events. */
  wake(): void;
}

interface Surroundings extends ListenOptions {
  /** What happens in the steps that run now. */
  current: () => readonly ActivityItem[];
  attach(listener: Listener): () => void;
}

/**
 * Events in order without gap or repetition, read from the store as they are taken, and between them
 * what happens now. Nothing is kept for a listener but gathered activities.
 */
export async function* listen(
  store: Store,
  { after, session, signal, current, attach }: Surroundings,
): AsyncGenerator<LiveItem, Record<string, never>, void> {
  const concerns = (item: ActivityItem): boolean =>
    session === undefined || item.sessionId === session;
  const activities = createActivities();
  for (const item of current()) if (concerns(item)) activities.add(item);
  const sleeper = createSleeper(signal);
  let isNew = true;
  // A number beyond the newest is of another data folder: told by `from`, and nothing is waited for.
  const newest = store.lastNumber();
  let cursor = Math.min(after ?? newest, newest);
  const detach = attach({
    add(item) {
      if (!concerns(item)) return;
      activities.add(item);
      sleeper.wake();
    },
    wake() {
      isNew = true;
      sleeper.wake();
    },
  });
  try {
    yield { kind: 'from', number: cursor };
    let frameAt = 0;
    while (!signal.aborted) {
      if (isNew) {
        isNew = false;
        const { events, last } = store.eventsAfter({
          after: cursor,
          sessionId: session,
          limit: BATCH,
        });
        if (last > cursor) isNew = true;
        cursor = last;
        for (const event of events) {
          activities.settle(event);
          yield { kind: 'event', event };
          if (signal.aborted) return {};
        }
        if (isNew) continue;
      }
      const wait = frameAt - performance.now();
      if (activities.size > 0 && wait <= 0) {
        frameAt = performance.now() + FRAME_MS;
        yield* activities.take();
        continue;
      }
      await sleeper.sleep(activities.size > 0 ? wait : null);
    }
    return {};
  } finally {
    detach();
    sleeper.close();
  }
}

interface Sleeper {
  /** Until `wake`, the signal, or so many milliseconds (`null` = no limit). */
  sleep(ms: number | null): Promise<void>;
  wake(): void;
  close(): void;
}

function createSleeper(signal: AbortSignal): Sleeper {
  let isWoken = false;
  let resume: (() => void) | undefined;
  const wake = (): void => {
    isWoken = true;
    resume?.();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    async sleep(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>();
        resume = resolve;
        const timer = ms === null ? undefined : setTimeout(resolve, Math.max(1, ms));
        await promise;
        clearTimeout(timer);
        resume = undefined;
      }
      isWoken = false;
    },
    wake,
    close: () => signal.removeEventListener('abort', wake),
  };
}
