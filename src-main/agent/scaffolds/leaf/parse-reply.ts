import { createHash } from 'node:crypto';
import { parseCallsFromText, parseObject } from '../../../calls/index.ts';
import type { Completion, ToolCall, ToolSpec } from '../../../models/index.ts';
import type { ParsedTurn } from '../../types.ts';
import type { NUDGES } from './defaults.ts';
import { withHelp } from './tools.ts';
import { typedBySchema } from './typed-by-schema.ts';

export interface ParseSettings {
  /** Tools that can be called, advertised or not. */
  tools: readonly ToolSpec[];
  nudges: typeof NUDGES;
  /** No tools are sent, so that calls in the text are the usual form and nothing to remark on. */
  textCalls: boolean;
  help: boolean;
}

interface Words {
  content: string;
  reasoning: string;
  calls: ToolCall[];
  broken: string[];
  notes: string[];
}

/** What a reply means; pure. Nothing of a reply that was cut off is ever run (L04). */
export function parseReply(reply: Completion, settings: ParseSettings): ParsedTurn {
  if (reply.finish === 'cut') {
    const { content, reasoning } = withoutLeakedThought(reply);
    const dropped = reply.toolCalls.map((call) => call.name).join(', ');
    return {
      message: messageOf(content, reasoning, []),
      calls: [],
      final: null,
      nudge: { kind: 'cut', text: settings.nudges.cut },
      notes: dropped === '' ? [] : [`not run because the reply was cut off: ${dropped}`],
    };
  }
  const words = wordsOf(reply, settings);
  const read = words.calls.map((call) => readCall(call, settings));
  return {
    message: messageOf(
      words.content,
      words.reasoning,
      read.map(({ kept }) => kept),
    ),
    calls: read.map(({ call }) => call),
    ...answerOf(words, settings),
    notes: [...words.notes, ...read.flatMap(({ notes }) => notes)],
  };
}

function answerOf(words: Words, { nudges }: ParseSettings): Pick<ParsedTurn, 'final' | 'nudge'> {
  if (words.calls.length > 0) return { final: null, nudge: null };
  const fault = words.broken[0];
  if (fault !== undefined) {
    const text = nudges.format.split('{{fault}}').join(fault);
    return { final: null, nudge: { kind: 'format_error', text } };
  }
  if (words.content.trim() !== '') return { final: words.content, nudge: null };
  return { final: null, nudge: { kind: 'empty_reply', text: nudges.empty } };
}

function messageOf(content: string, reasoning: string, calls: ToolCall[]): ParsedTurn['message'] {
  return {
    role: 'assistant',
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}

/** The reply's text and calls, with calls that were written as text lifted out of it (L02). */
function wordsOf(reply: Completion, { tools, textCalls }: ParseSettings): Words {
  const { content, reasoning, notes } = withoutLeakedThought(reply);
  if (reply.toolCalls.length > 0) {
    return { content, reasoning, calls: withIds(reply, reply.toolCalls), broken: [], notes };
  }
  const names = tools.map((tool) => tool.name);
  const inContent = parseCallsFromText(content, names);
  // A call in the reasoning is only a plan, unless nothing else was said.
  const silent = content.trim() === '';
  const found = silent ? parseCallsFromText(reasoning, names) : inContent;
  const where = silent ? 'reasoning' : 'content';
  const calls = found.calls.map((call) => ({
    id: '',
    name: call.name,
    arguments: call.form === 'qwen-coder' ? typedBySchema(call, tools) : call.arguments,
  }));
  if (calls.length === 0) return { content, reasoning, calls, broken: found.broken, notes };
  return {
    content: silent ? content : found.rest,
    reasoning: silent ? found.rest : reasoning,
    calls: withIds(reply, calls),
    broken: found.broken,
    notes: [
      ...notes,
      ...(textCalls
        ? []
        : [`salvaged ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} from the ${where}`]),
      ...found.notes,
      ...found.broken.map((fault) => `another call could not be read: ${fault}`),
    ],
  };
}

/** A server without a reasoning parser leaves the thought in the content. */
function withoutLeakedThought(reply: Completion): Pick<Words, 'content' | 'reasoning' | 'notes'> {
  const { content, reasoning } = reply;
  if (reasoning !== '') return { content, reasoning, notes: [] };
  const close = content.indexOf('</think>');
  const opened = /^\s*<think>\s*/.exec(content);
  if (close === -1 && !opened) return { content, reasoning, notes: [] };
  const end = close === -1 ? content.length : close;
  return {
    content: content.slice(end).replace(/^<\/think>\s*/, ''),
    reasoning: content.slice(opened?.[0].length ?? 0, end).trim(),
    notes: ['the thought was split off the content'],
  };
}

/** Ids must be there and differ within a turn; made from the reply, so that parsing stays pure. */
function withIds(reply: Completion, calls: readonly ToolCall[]): ToolCall[] {
  const seed = [
    reply.content,
    reply.reasoning,
    JSON.stringify(reply.toolCalls),
    String(reply.usage.promptTokens),
  ];
  const base = createHash('sha256').update(seed.join('\0')).digest('hex').slice(0, 16);
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? `call_${base}_${index}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

interface ReadCall {
  /** As it goes into the history: always a JSON object (L01). */
  kept: ToolCall;
  call: ParsedTurn['calls'][number];
  notes: string[];
}

function readCall(raw: ToolCall, { tools, help }: ParseSettings): ReadCall {
  const written = raw.name.trim();
  const name = tools.find((tool) => tool.name.toLowerCase() === written.toLowerCase())?.name;
  const args = readArguments(raw.arguments);
  const notes = name === undefined || name === raw.name ? [] : [`${raw.name} was read as ${name}`];
  if (!args.ok) {
    const shown = name ?? written;
    const error = `ValueError: the arguments of ${shown} are not valid JSON (${args.fault}); the call was not run`;
    const kept = {
      id: raw.id,
      name: shown,
      arguments: JSON.stringify({ _invalid: raw.arguments }),
    };
    return { kept, call: { ok: false, id: raw.id, name: shown, error }, notes };
  }
  if (name === undefined) {
    const names = tools.map((tool) => tool.name).join(', ');
    const error = withHelp(`Unknown tool: ${written}`, help ? [`The tools are ${names}.`] : []);
    const kept = { id: raw.id, name: written === '' ? 'unknown' : written, arguments: args.json };
    return { kept, call: { ok: false, id: raw.id, name: kept.name, error }, notes };
  }
  return {
    kept: { id: raw.id, name, arguments: args.json },
    call: { ok: true, call: { id: raw.id, name, arguments: args.value } },
    notes: [...notes, ...args.notes],
  };
}

type ArgumentsRead =
  | { ok: true; value: Record<string, unknown>; json: string; notes: string[] }
  | { ok: false; fault: string };

function readArguments(raw: string): ArgumentsRead {
  if (raw.trim() === '')
    return { ok: true, value: {}, json: '{}', notes: ['no arguments were given'] };
  const read = parseObject(raw);
  if (read.ok) return { ok: true, value: read.value, json: raw, notes: [] };
  const inner = textInside(raw);
  const nested = inner === undefined ? read : parseObject(inner);
  if (!nested.ok || inner === undefined) return { ok: false, fault: read.fault };
  return {
    ok: true,
    value: nested.value,
    json: inner,
    notes: ['arguments were a JSON string in JSON'],
  };
}

function textInside(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
