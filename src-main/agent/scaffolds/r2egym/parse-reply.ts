import { createHash } from 'node:crypto';
import type { Completion, ToolCall } from '../../../models/index.ts';
import type { ParsedTurn } from '../../types.ts';
import { callText, findCall, type FoundCall } from './call-text.ts';

export interface R2eNudges {
  /** Neither a call nor anything else that helps: the original's fixed reminder. */
  noCall: string;
  /** `{{fault}}` is the reason. */
  format: string;
  cut: string;
}

export interface ParseSettings {
  functions: readonly string[];
  nudges: R2eNudges;
}

/** Names that other prompts of the same family use for the same functions. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['bash', 'execute_bash'],
  ['str_replace_editor', 'file_editor'],
  ['submit', 'finish'],
]);

/**
 * What a reply means; pure. Only the first call counts, as in the original, and only `finish` ends
 * the attempt: an answer in plain words is answered by a reminder. Nothing of a reply that was cut
 * off is run (L04).
 */
export function parseReply(reply: Completion, settings: ParseSettings): ParsedTurn {
  if (reply.finish === 'cut') {
    return nudged(reply.content, reply, 'cut', settings.nudges.cut, []);
  }
  const native = reply.toolCalls[0];
  if (native) return turnOf(reply, nativeCall(reply, native), settings);
  const { text, offset, where } = placeOfCall(reply);
  const found = findCall(text.slice(offset));
  if (found.kind === 'found') {
    const { call } = found;
    const thought = where === 'reasoning' ? reply.content : text.slice(0, offset + call.start);
    const notes = where === 'reasoning' ? ['salvaged a call from the reasoning'] : [];
    return turnOf(reply, { ...call, thought, notes: [...notes, ...call.notes] }, settings);
  }
  if (found.kind === 'broken') {
    const thought = where === 'reasoning' ? reply.content : text.slice(0, offset + found.start);
    const said = settings.nudges.format.split('{{fault}}').join(found.fault);
    return nudged(thought, reply, 'format_error', said, []);
  }
  const kind = reply.content.trim() === '' ? 'empty_reply' : 'format_error';
  return nudged(reply.content, reply, kind, settings.nudges.noCall, []);
}

/** A call behind the thought goes before one that the thought only quotes; else the first one. */
function placeOfCall(reply: Completion): {
  text: string;
  offset: number;
  where: 'content' | 'reasoning';
} {
  const { content, reasoning } = reply;
  if (content.trim() === '' && findCall(reasoning).kind === 'found') {
    return { text: reasoning, offset: 0, where: 'reasoning' };
  }
  const closed = content.lastIndexOf('</think>');
  const behind = closed === -1 ? 0 : closed + '</think>'.length;
  const offset = behind > 0 && findCall(content.slice(behind)).kind !== 'none' ? behind : 0;
  return { text: content, offset, where: 'content' };
}

type ReadCall = Pick<FoundCall, 'name' | 'parameters' | 'notes' | 'rest'> & { thought: string };

/** A server that reads calls itself hands them over apart; the history is text all the same. */
function nativeCall(reply: Completion, call: ToolCall): ReadCall {
  const parameters = new Map<string, string>();
  try {
    const value: unknown = JSON.parse(call.arguments === '' ? '{}' : call.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, one] of Object.entries(value)) {
        parameters.set(key, typeof one === 'string' ? one : JSON.stringify(one));
      }
    }
  } catch {
    // Without its parameters the function says what it misses.
  }
  const notes = ['the server read the call, not the scaffold'];
  const more = reply.toolCalls.length > 1 ? '<function=' : '';
  return { name: call.name, parameters, notes, rest: more, thought: reply.content };
}

function turnOf(reply: Completion, call: ReadCall, { functions }: ParseSettings): ParsedTurn {
  const written = call.name;
  const name = ALIASES.get(written) ?? written;
  const notes = [...call.notes];
  if (name !== written) notes.push(`${written} was read as ${name}`);
  if (call.rest.includes('<function')) notes.push('further calls were left out: one a turn');
  const message = messageOf(reply, call.thought, callText(written, call.parameters));
  const id = `call_${createHash('sha256').update(message.content).digest('hex').slice(0, 16)}`;
  if (name === 'finish') {
    return {
      message,
      calls: [],
      final: (call.parameters.get('result') ?? '').trim(),
      nudge: null,
      notes,
    };
  }
  if (!functions.includes(name)) {
    const error = `Unknown function: ${written === '' ? '(none)' : written}. The functions are ${functions.join(', ')}.`;
    return {
      message,
      calls: [{ ok: false, id, name: written, error }],
      final: null,
      nudge: null,
      notes,
    };
  }
  const args = Object.fromEntries(call.parameters);
  return {
    message,
    calls: [{ ok: true, call: { id, name, arguments: args } }],
    ...{ final: null, nudge: null, notes },
  };
}

/** A reply without a usable call is kept with an empty one, as the original keeps it. */
function nudged(
  thought: string,
  reply: Completion,
  kind: 'cut' | 'format_error' | 'empty_reply',
  text: string,
  notes: string[],
): ParsedTurn {
  const message = messageOf(reply, thought, callText('', new Map()));
  return { message, calls: [], final: null, nudge: { kind, text }, notes };
}

function messageOf(reply: Completion, thought: string, call: string): ParsedTurn['message'] {
  const reasoning = reply.reasoning;
  return {
    role: 'assistant',
    content: `${thought.trim()}\n\n${call}`,
    ...(reasoning === '' ? {} : { reasoning }),
  };
}
