import type { Found } from './types.ts';

/** `<function=NAME>`; the `>` is missing at times, then the name ends with its line. */
const OPENING = /(?:<tool_call(?:\s*>)?\s*)?<function\s*=\s*([^\s<>]+)[^\S\n]*>?/g;
/** Same for a parameter. Sticky: it is looked for at one place only. */
const PARAMETER = /\s*<parameter\s*=\s*([^\s<>]+)[^\S\n]*(>?)/y;
/**
 * What ends a value for certain: its closer, but only in front of another tag or the end, so that a
 * literal `</parameter>` in code does not cut it.
 */
const VALUE_END =
  /<\/parameter(?:\s*>)?(?=\s*(?:<parameter\s*=|<\/function|<\/tool_call|<function\s*=|<tool_call|$))/g;
/** What ends a value whose closer is missing. */
const LATE_END = /(?=<parameter\s*=|<\/function|<\/tool_call)/g;
const CLOSING = /^\s*(<\/function\s*>?)?\s*(<\/tool_call\s*>?)?/;

/** Calls written as `<function=Name><parameter=key>value</parameter></function>`. */
export function findQwenCoder(text: string): Found[] {
  const found: Found[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const one = readOne(
      text,
      match.index,
      OPENING.lastIndex,
      unquote(match[1] ?? ''),
      match[0].endsWith('>'),
    );
    found.push(one);
    OPENING.lastIndex = Math.max(one.end, OPENING.lastIndex);
  }
  return found;
}

function readOne(
  text: string,
  start: number,
  bodyStart: number,
  name: string,
  closed: boolean,
): Found {
  const notes = closed ? [] : ['a > is missing'];
  const values = new Map<string, string>();
  let at = bodyStart;
  for (;;) {
    PARAMETER.lastIndex = at;
    const opening = PARAMETER.exec(text);
    if (!opening) break;
    const key = unquote(opening[1] ?? '');
    if (opening[2] === '') notes.push('a > is missing');
    const value = readValue(text, PARAMETER.lastIndex);
    if (!value) {
      const fault = `parameter "${key}" of ${name} is not closed`;
      return { ok: false, start, end: text.length, fault };
    }
    if (!value.closed) notes.push('closing tag missing');
    values.set(key, value.text);
    at = value.end;
  }
  const closing = CLOSING.exec(text.slice(at));
  const end = at + (closing?.[0].trimEnd().length ?? 0);
  if (closing?.[1] === undefined) {
    // Without any value or closer this is prose about a function, or a call cut off at its start.
    if (values.size === 0)
      return { ok: false, start, end, fault: `the call of ${name} is not closed` };
    notes.push('closing tag missing');
  }
  const call = {
    name,
    arguments: JSON.stringify(Object.fromEntries(values)),
    form: 'qwen-coder',
  } as const;
  return { ok: true, start, end, call, notes: [...new Set(notes)] };
}

/** `undefined` when nothing ends the value: it may be cut off, so it must not be used. */
function readValue(
  text: string,
  from: number,
): { text: string; end: number; closed: boolean } | undefined {
  const proper = search(VALUE_END, text, from);
  const late = search(LATE_END, text, from);
  const next = nextParameter(text, from);
  // A proper closer behind the next parameter's tag belongs to that parameter.
  if (proper && (next === -1 || proper.start <= next)) {
    return { text: trimOneBreak(text.slice(from, proper.start)), end: proper.end, closed: true };
  }
  if (!late) return undefined;
  return { text: trimOneBreak(text.slice(from, late.start)), end: late.start, closed: false };
}

/** Start of the next parameter tag that stands at the start of a line, where models write it. */
function nextParameter(text: string, from: number): number {
  const match = /\n[^\S\n]*<parameter\s*=/g;
  match.lastIndex = from;
  return match.exec(text)?.index ?? -1;
}

/** The model writes one line break after the opening and one before the closing tag. */
function trimOneBreak(value: string): string {
  const head = value.startsWith('\r\n') ? 2 : value.startsWith('\n') ? 1 : 0;
  const body = value.slice(head);
  return body.endsWith('\n') ? body.slice(0, body.endsWith('\r\n') ? -2 : -1) : body;
}

function unquote(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, (_all, _quote, inner: string) => inner);
}

function search(
  pattern: RegExp,
  text: string,
  from: number,
): { start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}
