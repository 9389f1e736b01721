import type { EventOf, EventType, StoredEvent } from '../../../../src-main/contract/index.ts';
import { textCalls } from './text-calls.ts';

type Step = EventOf<'step.finished'>;
export type Observation = Step['observations'][number];

/** A call of a step with what came of it; `result` is `null` where none is on record. */
export interface StepCall {
  id: string;
  name: string;
  /** As the model wrote them: JSON, or what was meant to be. */
  arguments: string;
  result: string | null;
  observation: Observation | null;
  failed: boolean;
}

export interface StepItem {
  kind: 'step';
  key: string;
  step: number;
  /** Milliseconds since 1970 of its end; `from` is its start as far as the record tells. */
  at: number;
  from: number;
  reasoning: string;
  text: string;
  calls: StepCall[];
  /** What we told the model besides, e.g. that its call could not be read. */
  nudges: string[];
  notes: string[];
  timings: Step['timings'];
  usage: Step['usage'];
  cut: boolean;
  failed: boolean;
}

export type TimelineItem =
  | StepItem
  | { kind: 'issue'; key: string; text: string; followUp: string | null }
  | {
      kind: 'start';
      key: string;
      number: number;
      resumedFrom: number | null;
      image: string | null;
      snapshot: EventOf<'snapshot.taken'> | null;
    }
  | { kind: 'note'; key: string; level: 'info' | 'warning' | 'error'; text: string }
  | { kind: 'ending'; key: string; ending: EventOf<'attempt.finished'>; failed: boolean }
  | { kind: 'patch'; key: string; patch: EventOf<'patch.made'> }
  | { kind: 'verification'; key: string; result: EventOf<'verification.finished'>['result'] }
  | { kind: 'interrupted'; key: string; text: string }
  | { kind: 'outcome'; key: string; outcome: EventOf<'session.finished'> };

/** The record of one attempt, and of its session around it, as items in order. */
export function timelineOf(
  events: readonly StoredEvent[],
  attemptId: string | null,
): TimelineItem[] {
  const items: TimelineItem[] = [];
  let snapshot: EventOf<'snapshot.taken'> | null = null;
  let start: Extract<TimelineItem, { kind: 'start' }> | null = null;
  for (const event of events) {
    if (event.attemptId !== null && event.attemptId !== attemptId) continue;
    const { body } = event;
    if (body.type === 'snapshot.taken') snapshot = body;
    else if (body.type === 'attempt.started') {
      const { number, resumedFromStep: resumedFrom } = body;
      const key = String(event.number);
      start = { kind: 'start', key, number, resumedFrom, image: null, snapshot };
      items.push(start);
    } else if (body.type === 'workspace.opened' && start !== null) {
      start.image = body.attestation.imageId;
    } else {
      const item = itemOf(event);
      if (item !== null) items.push(item);
    }
  }
  return items;
}

/** Events never change, so each becomes an item once: what is drawn of it stays as it is. */
const made = new WeakMap<StoredEvent, TimelineItem | null>();

function itemOf(event: StoredEvent): TimelineItem | null {
  const known = made.get(event);
  if (known !== undefined) return known;
  const item = makeItem(event);
  made.set(event, item);
  return item;
}

function makeItem({ body, at, number }: StoredEvent): TimelineItem | null {
  const key = String(number);
  // eslint-disable-next-line typescript/switch-exhaustiveness-check -- kinds that are not shown, and new ones
  switch (body.type) {
    case 'session.created':
      return { kind: 'issue', key, text: body.issue, followUp: body.followUp?.sessionId ?? null };
    case 'step.finished':
      return stepItem(body, at);
    case 'note':
      return { kind: 'note', key, level: body.level, text: body.text };
    case 'attempt.finished':
      return { kind: 'ending', key, ending: body, failed: FAILED.has(body.exitReason) };
    case 'patch.made':
      return { kind: 'patch', key, patch: body };
    case 'verification.finished':
      return { kind: 'verification', key, result: body.result };
    case 'session.interrupted':
      return { kind: 'interrupted', key, text: body.detail };
    case 'session.finished':
      return { kind: 'outcome', key, outcome: body };
    default:
      return null;
  }
}

/** Ends of an attempt that something went wrong with. */
const FAILED: ReadonlySet<string> = new Set([
  'llm_query_error',
  'tool_error',
  'unknown',
  'loop',
  'empty_reply',
  'format_error',
  'workspace_lost',
]);

function stepItem(body: Step, at: number): StepItem {
  const { step, timings, usage, finish } = body;
  const inText = textCalls(body);
  const results = inText?.results ?? new Map<string, string>();
  const nudges: string[] = inText?.nudges ?? [];
  let reasoning = '';
  let text = '';
  const asked: Array<{ id: string; name: string; arguments: string }> = inText?.calls ?? [];
  for (const message of body.messages) {
    if (message.role === 'tool') results.set(message.toolCallId, message.content);
    else if (message.role === 'user' && inText === null) nudges.push(message.content);
    else if (message.role === 'assistant') {
      reasoning += message.reasoning ?? '';
      text += message.content;
      asked.push(...(message.toolCalls ?? []));
    }
  }
  if (inText !== null) ({ text } = inText);
  const observed = new Map(body.observations.map((each) => [each.callId, each]));
  const calls = asked.map((call): StepCall => {
    const observation = observed.get(call.id) ?? null;
    const result = results.get(call.id) ?? null;
    return { ...call, result, observation, failed: isFailed(observation) };
  });
  return {
    ...{ kind: 'step', key: `step ${step}`, step, at, from: at - durationOf(timings) },
    ...{ reasoning, text, calls, nudges, timings, usage },
    notes: [...body.retries, ...body.notes],
    cut: finish === 'cut',
    failed: finish === 'cut' || nudges.length > 0 || calls.some(({ failed }) => failed),
  };
}

export function durationOf({ modelMs, toolsMs, ownMs }: Step['timings']): number {
  return modelMs + toolsMs + ownMs;
}

function isFailed(observation: Observation | null): boolean {
  if (observation === null) return false;
  const { isError, run } = observation;
  return isError || (run !== undefined && (run.timedOut || run.exitCode !== 0));
}

/** Newest body of a kind, in the session and one attempt. */
export function newestOf<T extends EventType>(
  events: readonly StoredEvent[],
  type: T,
  attemptId: string | null,
): EventOf<T> | null {
  const found = events.findLast(
    (event) =>
      event.body.type === type && (event.attemptId === null || event.attemptId === attemptId),
  );
  return found === undefined ? null : (found.body as EventOf<T>);
}

/** Place of the nearest failed item after (1) or before (-1) a place; `null` when there is none. */
export function nextFailed(
  items: readonly TimelineItem[],
  from: number,
  direction: 1 | -1,
): number | null {
  for (let index = from + direction; index >= 0 && index < items.length; index += direction) {
    const item = items[index];
    if (item !== undefined && isTrouble(item)) return index;
  }
  return null;
}

export function isTrouble(item: TimelineItem): boolean {
  if (item.kind === 'step' || item.kind === 'ending') return item.failed;
  if (item.kind === 'note') return item.level === 'error';
  return item.kind === 'verification' ? !item.result.passed : item.kind === 'interrupted';
}
