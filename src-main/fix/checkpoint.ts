import type { EventOf, RecordedChange, StoredEvent } from '../contract/index.ts';
import { sha256 } from '../lib/index.ts';
import type { ChatMessage, Usage } from '../models/index.ts';
import { mergeChanges, type Change } from '../patch/index.ts';
import type { Store } from '../store/index.ts';

/** An attempt as far as the record knows it: enough to go on from there or to make its patch. */
export interface Checkpoint {
  /** Number of the last finished step; 0 before the first. */
  steps: number;
  messages: ChatMessage[];
  changes: Change[];
  refused: { path: string; reason: string }[];
  /** Model, tool, own and waiting time of all steps. */
  elapsedMs: number;
  usage: Usage;
  seconds: { model: number; tools: number; total: number; waiting?: number };
}

/** Reads the last checkpoint of an attempt from the record. */
export function readCheckpoint(store: Store, sessionId: string, attemptId: string): Checkpoint {
  const events = store.events({ sessionId, attemptId });
  const steps = bodiesOf(events, 'step.finished');
  const opened = bodiesOf(events, 'attempt.opened').at(-1);
  return {
    steps: steps.at(-1)?.step ?? 0,
    messages: [...(opened?.messages ?? []), ...steps.flatMap((step) => step.messages)].map(
      toChatMessage,
    ),
    changes: mergeChanges(...steps.map((step) => step.changes)).map((change) =>
      load(store, change),
    ),
    refused: [...new Map(steps.flatMap((s) => s.refused).map((r) => [r.path, r])).values()],
    ...spent(steps),
  };
}

function spent(steps: readonly EventOf<'step.finished'>[]) {
  const sum = (pick: (step: EventOf<'step.finished'>) => number) =>
    steps.reduce((total, step) => total + pick(step), 0);
  const waitedMs = sum(({ timings }) => timings.waitedMs ?? 0);
  const elapsedMs = waitedMs + sum(({ timings: t }) => t.modelMs + t.toolsMs + t.ownMs);
  return {
    elapsedMs,
    usage: steps.map((step) => step.usage).reduce(addUsage, NO_USAGE),
    seconds: {
      model: sum(({ timings }) => timings.modelMs) / 1000,
      tools: sum(({ timings }) => timings.toolsMs) / 1000,
      total: elapsedMs / 1000,
      ...(waitedMs > 0 && { waiting: waitedMs / 1000 }),
    },
  };
}

const NO_USAGE: Usage = { promptTokens: null, completionTokens: null, cachedTokens: null };

/** Sum of two counts; a count that nobody reported stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const add = (x: number | null, y: number | null) =>
    x === null && y === null ? null : (x ?? 0) + (y ?? 0);
  return {
    promptTokens: add(a.promptTokens, b.promptTokens),
    completionTokens: add(a.completionTokens, b.completionTokens),
    cachedTokens: add(a.cachedTokens, b.cachedTokens),
  };
}

/** Bodies of one type, in order. */
export function bodiesOf<T extends StoredEvent['body']['type']>(
  events: readonly StoredEvent[],
  type: T,
): EventOf<T>[] {
  return events.map((event) => event.body).filter((body): body is EventOf<T> => body.type === type);
}

/** A recorded change with its content. */
export function load(store: Store, change: RecordedChange): Change {
  if (change.kind === 'deleted') return { path: change.path, kind: 'deleted' };
  const content = store.blob(change.blob);
  if (change.kind === 'symlink') return { path: change.path, kind: 'symlink', content };
  return { path: change.path, kind: 'file', executable: change.executable, content };
}

/** A recorded message in the form the models room takes. */
// zod types an absent member as `undefined` where our own types want it absent.
export function toChatMessage(message: EventOf<'attempt.opened'>['messages'][number]): ChatMessage {
  if (message.role !== 'assistant') return message;
  return {
    role: 'assistant',
    content: message.content,
    ...(message.reasoning !== undefined && { reasoning: message.reasoning }),
    ...(message.toolCalls !== undefined && { toolCalls: message.toolCalls }),
  };
}

/** The form kept in the record, with the contents to store beside it. */
export function toRecorded(changes: readonly Change[]): {
  changes: RecordedChange[];
  blobs: Uint8Array[];
} {
  const blobs: Uint8Array[] = [];
  const recorded = changes.map((change): RecordedChange => {
    if (change.kind === 'deleted') return { path: change.path, kind: 'deleted' };
    blobs.push(change.content);
    const blob = sha256(change.content);
    if (change.kind === 'symlink') return { path: change.path, kind: 'symlink', blob };
    return { path: change.path, kind: 'file', executable: change.executable, blob };
  });
  return { changes: recorded, blobs };
}
