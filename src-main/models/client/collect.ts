import { randomUUID } from 'node:crypto';
import type { Completion, CompletionDelta, ToolCall, Usage } from '../types.ts';

/** A reply longer than this is a server gone wild; memory stays bounded. */
const MAX_REPLY_CHARS = 8 * 1024 * 1024;

/** One piece of the stream, as far as it is read here. Servers differ, so everything is optional. */
export interface StreamChunk {
  choices?: { delta?: ChunkDelta | null; finish_reason?: string | null }[] | null;
  usage?: ChunkUsage | null;
  /** llama.cpp's own counts. */
  timings?: { cache_n?: number; prompt_n?: number; predicted_n?: number } | null;
}

export interface ChunkDelta {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: CallFragment[] | null;
}

interface ChunkUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
}

interface CallFragment {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
}

interface CallSlot {
  id: string;
  name: string;
  pieces: string[];
}

/** What a finished stream held; `finishReason` is `null` when the stream ended without one. */
export interface Collected extends Pick<
  Completion,
  'content' | 'reasoning' | 'toolCalls' | 'usage'
> {
  finishReason: string | null;
}

/** Joins the pieces of one streamed reply. */
export interface Collector {
  add(chunk: StreamChunk): void;
  /** Whether any piece was passed on to the watcher. */
  readonly started: boolean;
  result(): Collected;
}

export function createCollector(onDelta: (delta: CompletionDelta) => void): Collector {
  const content: string[] = [];
  const reasoning: string[] = [];
  const calls: CallSlot[] = [];
  const byIndex = new Map<number, number>();
  let usage: Usage = { promptTokens: null, completionTokens: null, cachedTokens: null };
  let finishReason: string | null = null;
  let chars = 0;

  const emit = (delta: Exclude<CompletionDelta, { kind: 'restart' }>): void => {
    chars += delta.text.length;
    if (chars > MAX_REPLY_CHARS) throw new ReplyTooLongError();
    onDelta(delta);
  };
  const fragment = (piece: CallFragment): void => {
    const index = slotOf(piece, calls, byIndex);
    // slotOf has just made sure that the slot exists.
    const slot = calls[index] as CallSlot;
    const added = addToSlot(slot, piece);
    emit({ kind: 'call', index, ...(slot.name ? { name: slot.name } : {}), text: added });
  };
  const read = (delta: ChunkDelta): void => {
    const thought = delta.reasoning_content ?? delta.reasoning;
    if (thought) {
      reasoning.push(thought);
      emit({ kind: 'reasoning', text: thought });
    }
    if (delta.content) {
      content.push(delta.content);
      emit({ kind: 'content', text: delta.content });
    }
    for (const piece of delta.tool_calls ?? []) fragment(piece);
  };

  return {
    get started() {
      return content.length + reasoning.length + calls.length > 0;
    },
    add(chunk) {
      usage = readUsage(chunk, usage);
      const choice = chunk.choices?.[0];
      if (!choice) return;
      if (choice.delta) read(choice.delta);
      finishReason = choice.finish_reason ?? finishReason;
    },
    result: () => ({
      content: content.join(''),
      reasoning: reasoning.join(''),
      toolCalls: finishCalls(calls),
      usage,
      finishReason,
    }),
  };
}

/** Thrown by `add`; retrying would not help. */
export class ReplyTooLongError extends Error {
  override readonly name = 'ReplyTooLongError';
  constructor(limit = `${String(MAX_REPLY_CHARS)} characters`) {
    super(`the reply is longer than ${limit}`);
  }
}

/**
 * Which call a fragment continues. The index decides; where it is missing, the id does; and where a
 * server gives the same index to every call, a new id together with a name starts a new call.
 */
function slotOf(piece: CallFragment, calls: CallSlot[], byIndex: Map<number, number>): number {
  const known = piece.id ? calls.findLastIndex((slot) => slot.id === piece.id) : -1;
  if (piece.index === undefined || piece.index === null) {
    if (known >= 0) return known;
    return piece.id || calls.length === 0 ? newSlot(calls) : calls.length - 1;
  }
  const current = byIndex.get(piece.index);
  if (current !== undefined && !startsAnother(piece, calls[current])) return current;
  const slot = current !== undefined && known >= 0 ? known : newSlot(calls);
  byIndex.set(piece.index, slot);
  return slot;
}

function startsAnother(piece: CallFragment, slot: CallSlot | undefined): boolean {
  if (!slot?.id || !slot.name) return false;
  return Boolean(piece.id && piece.id !== slot.id && piece.function?.name);
}

function newSlot(calls: CallSlot[]): number {
  return calls.push({ id: '', name: '', pieces: [] }) - 1;
}

function addToSlot(slot: CallSlot, piece: CallFragment): string {
  if (piece.id) slot.id ||= piece.id;
  const name = piece.function?.name;
  // Some servers repeat the whole name in each fragment, others send it in parts.
  if (name && !slot.name) slot.name = name;
  else if (name && name !== slot.name && slot.pieces.length === 0) slot.name += name;
  const raw = piece.function?.arguments;
  if (raw === undefined || raw === null || raw === '') return '';
  const added = typeof raw === 'string' ? raw : JSON.stringify(raw);
  slot.pieces.push(added);
  return added;
}

/** Every call gets an id that no other call of the reply has. */
function finishCalls(slots: readonly CallSlot[]): ToolCall[] {
  const seen = new Set<string>();
  return slots.map((slot) => {
    const id = slot.id && !seen.has(slot.id) ? slot.id : `call_${randomUUID()}`;
    seen.add(id);
    return { id, name: slot.name, arguments: slot.pieces.join('') };
  });
}

function readUsage(chunk: StreamChunk, before: Usage): Usage {
  const { usage, timings } = chunk;
  if (!usage && !timings) return before;
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? timings?.cache_n;
  const prompt = timings?.prompt_n === undefined ? null : timings.prompt_n + (timings.cache_n ?? 0);
  return {
    promptTokens: usage?.prompt_tokens ?? prompt ?? before.promptTokens,
    completionTokens: usage?.completion_tokens ?? timings?.predicted_n ?? before.completionTokens,
    cachedTokens: cached ?? before.cachedTokens,
  };
}
