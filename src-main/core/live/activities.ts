import type { LiveActivity, LiveItem, StoredEvent } from '../../contract/index.ts';

export type ActivityItem = Extract<LiveItem, { kind: 'activity' }>;

/** Text that one step may gather; a longer one is complete in its event. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * What happens now, gathered until somebody takes it: pieces of text become one, a newer state takes
 * the place of an older one, and what an event tells for good goes. So it stays small, however slow
 * the one who takes is.
 */
export interface Activities {
  add(item: ActivityItem): void;
  /** The event tells it for good. */
  settle(event: StoredEvent): void;
  /** All of a session. */
  drop(sessionId: string): void;
  take(): ActivityItem[];
  list(): readonly ActivityItem[];
  readonly size: number;
}

export function createActivities(): Activities {
  let items: ActivityItem[] = [];
  return {
    add(item) {
      items = added(items, item);
    },
    settle(event) {
      if (items.length > 0) items = items.filter((item) => !isSettledBy(item, event));
    },
    drop(sessionId) {
      items = items.filter((item) => item.sessionId !== sessionId);
    },
    take() {
      const taken = items;
      items = [];
      return taken;
    },
    list: () => items,
    get size() {
      return items.length;
    },
  };
}

function added(items: ActivityItem[], item: ActivityItem): ActivityItem[] {
  const { activity } = item;
  if (activity.kind === 'phase' || activity.kind === 'memory') {
    const others = items.filter(
      (other) => !isOfSame(other, item) || other.activity.kind !== activity.kind,
    );
    return [...others, item];
  }
  if (activity.kind === 'model') {
    // The step that begins says more than how it came to it.
    const isPast = (other: ActivityItem): boolean =>
      isOfSame(other, item) && other.activity.kind === 'phase';
    return [...items.filter((other) => !isPast(other)), item];
  }
  if (activity.kind === 'restart') {
    // What came of the step so far is void, so nobody need see it.
    const isVoid = (other: ActivityItem): boolean =>
      isOfSame(other, item) && other.activity.kind === 'delta';
    return [...items.filter((other) => !isVoid(other)), item];
  }
  if (activity.kind === 'delta') return withText(items, item, activity);
  items.push(item);
  return items;
}

function withText(
  items: ActivityItem[],
  item: ActivityItem,
  piece: Extract<LiveActivity, { kind: 'delta' }>,
): ActivityItem[] {
  const index = items.findLastIndex((other) => isOfSame(other, item) && 'step' in other.activity);
  const last = items[index];
  const begun = last?.activity;
  const continues =
    last !== undefined &&
    begun?.kind === 'delta' &&
    begun.step === piece.step &&
    begun.part === piece.part;
  if (!continues) {
    items.push(item);
    return items;
  }
  if (begun.text.length > MOST_CHARACTERS) return items;
  items[index] = { ...last, activity: { ...begun, text: begun.text + piece.text } };
  return items;
}

function isOfSame(one: ActivityItem, other: ActivityItem): boolean {
  return one.sessionId === other.sessionId && one.attemptId === other.attemptId;
}

function isSettledBy(
  { sessionId, attemptId, activity }: ActivityItem,
  event: StoredEvent,
): boolean {
  if (event.sessionId !== sessionId) return false;
  const { body } = event;
  if (body.type === 'session.finished' || body.type === 'session.interrupted') return true;
  // What came before the first attempt.
  if (attemptId === null) return body.type === 'attempt.started';
  if (event.attemptId !== attemptId) return false;
  if (body.type === 'attempt.finished') return true;
  if (body.type === 'workspace.opened' || body.type === 'verification.finished')
    return activity.kind === 'phase';
  return body.type === 'step.finished' && 'step' in activity && activity.step <= body.step;
}
