import { isObject, rawObjectMember, readJsonObject } from './json-object.ts';
import type { Found } from './types.ts';

/** `<tool_call>` with its `>` missing at times, up to the first brace. */
const OPENING = /<tool_call(?:\s*>)?\s*(?=\{)/g;
/** Each is read to the end of the text at worst. */
const MAX_BROKEN = 32;

const CLOSING = /^\s*<\/tool_call\s*>?/;

/** Calls written as `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. */
export function findHermes(text: string): Found[] {
  const found: Found[] = [];
  let broken = 0;
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const one = readOne(text, match.index, OPENING.lastIndex);
    found.push(one);
    if (!one.ok && ++broken >= MAX_BROKEN) break;
    OPENING.lastIndex = one.end;
  }
  return found;
}

/** The whole text is one call without any wrapper, at most inside a code fence. */
export function findBareJson(text: string, toolNames: readonly string[]): Found[] {
  const fenced = /^\s*(?:```(?:json)?\s*\n)?\s*(?=\{)/.exec(text);
  if (!fenced) return [];
  const read = readJsonObject(text, fenced[0].length);
  if (!read.ok || !/^\s*(?:```)?\s*$/.test(text.slice(read.end))) return [];
  const call = callOf(read);
  const known = toolNames.map((name) => name.toLowerCase());
  if (typeof call === 'string' || !known.includes(call.name.toLowerCase())) return [];
  return [
    {
      ok: true,
      start: 0,
      end: text.length,
      call: { ...call, form: 'bare-json' },
      notes: ['call without its <tool_call> wrapper', ...read.notes],
    },
  ];
}

function readOne(text: string, start: number, bodyStart: number): Found {
  const read = readJsonObject(text, bodyStart);
  if (!read.ok) return { ok: false, start, end: endOfBroken(text, bodyStart), fault: read.fault };
  const call = callOf(read);
  const closing = CLOSING.exec(text.slice(read.end));
  const end = read.end + (closing ? closing[0].length : 0);
  if (typeof call === 'string') return { ok: false, start, end, fault: call };
  const notes = [...read.notes];
  if (!closing) notes.push('closing tag missing');
  return { ok: true, start, end, call: { ...call, form: 'hermes' }, notes };
}

function callOf(read: {
  value: Record<string, unknown>;
  json: string;
}): { name: string; arguments: string } | string {
  const { value } = read;
  const name = value['name'];
  if (typeof name !== 'string' || name.trim() === '') return 'the call has no "name"';
  const key = value['arguments'] === undefined ? 'parameters' : 'arguments';
  const given = value[key];
  if (isObject(given)) {
    const raw = rawObjectMember(read.json, key) ?? JSON.stringify(given);
    return { name: name.trim(), arguments: raw };
  }
  if (typeof given !== 'string') return 'the call has no "arguments" object';
  const nested = readJsonObject(given, given.search(/\S|$/));
  if (!nested.ok) return `"arguments" is not a JSON object: ${nested.fault}`;
  return { name: name.trim(), arguments: nested.json };
}

/** A call that can't be read reaches to its closing tag, else to the next call, else to the end. */
function endOfBroken(text: string, from: number): number {
  const closing = /<\/tool_call\s*>?/g;
  closing.lastIndex = from;
  if (closing.exec(text)) return closing.lastIndex;
  const next = text.indexOf('<tool_call', from);
  return next === -1 ? text.length : next;
}
