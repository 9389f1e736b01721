import type { LiveItem } from '../../src-main/contract/index.ts';

type ActivityItem = Extract<LiveItem, { kind: 'activity' }>;

/** What a running attempt does now; gathered from activities, void as soon as a step is on record. */
export interface Activity {
  attemptId: string | null;
  attempt: number;
  /** The newest state of things in words of the core; `null` between phases. */
  phase: string | null;
  step: number | null;
  reasoning: string;
  content: string;
  call: string;
  tool: { name: string; summary: string; since: number } | null;
  notes: string[];
  /** Newest first measurements last; bounded. */
  memory: Array<{
    at: number;
    workspaceBytes: number | null;
    modelBytes: number | null;
    appBytes: number | null;
  }>;
  at: number;
}

/** Measurements kept of a session: a look each second over a quarter of an hour. */
const MOST_LOOKS = 900;

/** A live text longer than this keeps its end: the record will have all of it. */
const LONGEST_TEXT = 200_000;

export function noActivity(item: ActivityItem): Activity {
  return {
    attemptId: item.attemptId,
    attempt: item.attempt,
    phase: null,
    step: null,
    reasoning: '',
    content: '',
    call: '',
    tool: null,
    notes: [],
    memory: [],
    at: item.at,
  };
}

/** The activity after one more item. */
export function nextActivity(before: Activity | undefined, item: ActivityItem): Activity {
  const known = before?.attempt === item.attempt ? before : noActivity(item);
  const now = { ...known, attemptId: item.attemptId, at: item.at };
  const { activity } = item;
  switch (activity.kind) {
    case 'phase':
      return { ...now, phase: activity.text };
    case 'memory': {
      const { workspaceBytes, modelBytes, appBytes = null } = activity;
      const look = { at: item.at, workspaceBytes, modelBytes, appBytes };
      return { ...now, memory: [...now.memory, look].slice(-MOST_LOOKS) };
    }
    case 'model':
      return { ...withoutTexts(now), step: activity.step };
    case 'delta': {
      const own = now.step === activity.step ? now : { ...withoutTexts(now), step: activity.step };
      const part = { content: 'content', reasoning: 'reasoning', call: 'call' } as const;
      const name = part[activity.part];
      return { ...own, [name]: (own[name] + activity.text).slice(-LONGEST_TEXT) };
    }
    case 'restart':
      return { ...withoutTexts(now), step: activity.step, notes: [...now.notes, activity.reason] };
    case 'tool':
      return {
        ...now,
        step: activity.step,
        tool: { name: activity.name, summary: activity.summary, since: item.at },
      };
    case 'note':
      return { ...now, step: activity.step, notes: [...now.notes, activity.text] };
  }
}

/** By session, then by the number of the attempt, as several run at once; the last heard of is last. */
export type Activities = Map<string, Map<number, Activity>>;

/** Takes one item of the subscription in. */
export function followActivity(activities: Activities, item: LiveItem): void {
  if (item.kind === 'activity') {
    const own = activities.get(item.sessionId) ?? new Map<number, Activity>();
    const next = nextActivity(own.get(item.attempt), item);
    own.delete(item.attempt);
    activities.set(item.sessionId, own.set(item.attempt, next));
    return;
  }
  if (item.kind !== 'event') return;
  const { sessionId, attemptId, body } = item.event;
  if (body.type === 'session.finished') activities.delete(sessionId);
  if (body.type !== 'step.finished') return;
  const own = activities.get(sessionId);
  for (const [attempt, known] of own ?? []) {
    if (known.attemptId === attemptId) own?.set(attempt, afterStep(known));
  }
}

/** What is left when a step is on record. */
export function afterStep(activity: Activity): Activity {
  return { ...withoutTexts(activity), step: null };
}

function withoutTexts(activity: Activity): Activity {
  return { ...activity, reasoning: '', content: '', call: '', tool: null, notes: [] };
}
