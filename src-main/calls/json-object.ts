/**
 * Reads one JSON object from the start of a text that may go on after it. Two faults of small
 * models are mended because they leave no doubt about what was meant: raw line breaks and tabs
 * inside strings, and closing braces missing at the very end.
 */
export type ObjectRead =
  /** `json` is valid: the text as written if nothing had to be mended. */
  | { ok: true; value: Record<string, unknown>; json: string; end: number; notes: string[] }
  | { ok: false; fault: string };

/** `end` is where the text after the object begins, counted in `text`. */
export function readJsonObject(text: string, start: number): ObjectRead {
  const scan = scanObject(text, start);
  if (scan.inString) return { ok: false, fault: 'the JSON ends inside a string' };
  const notes: string[] = [];
  let json = text.slice(start, scan.end);
  if (scan.missing !== '') {
    if (scan.missing.length > 2) return { ok: false, fault: 'the JSON is cut off' };
    json = json.trimEnd() + scan.missing;
    notes.push(`added the missing ${scan.missing}`);
  }
  const strict = parseObject(json);
  if (strict.ok) return { ok: true, value: strict.value, json, end: scan.end, notes };
  const escaped = escapeControls(json);
  const mended = escaped === json ? strict : parseObject(escaped);
  if (!mended.ok)
    return { ok: false, fault: notes.length > 0 ? 'the JSON is cut off' : strict.fault };
  notes.push('escaped raw control characters inside a string');
  return { ok: true, value: mended.value, json: escaped, end: scan.end, notes };
}

/** Parses `json` as an object; the fault says what is wrong and where. */
export function parseObject(
  json: string,
): { ok: true; value: Record<string, unknown> } | { ok: false; fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : 'not JSON' };
  }
  if (!isObject(value)) return { ok: false, fault: 'the JSON is not an object' };
  return { ok: true, value };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds where the object that starts at `start` ends; `missing` are the closers that never came. */
function scanObject(
  text: string,
  start: number,
): { end: number; inString: boolean; missing: string } {
  const open: string[] = [];
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') {
      open.pop();
      if (open.length === 0) return { end: at + 1, inString: false, missing: '' };
    } else if (char === '<' && text.startsWith('</tool_call', at)) {
      return { end: at, inString: false, missing: open.toReversed().join('') };
    }
  }
  return { end: text.length, inString, missing: open.toReversed().join('') };
}

/**
 * The text of an object that is a member of a JSON object, exactly as it was written: a call goes
 * back into the history as the model wrote it, spaces included. `undefined` if there is none.
 */
export function rawObjectMember(json: string, name: string): string | undefined {
  const key = JSON.stringify(name);
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === '"') {
      const end = stringEnd(json, at);
      if (depth === 1 && json.slice(at, end) === key) {
        const value = /^\s*:\s*(?=\{)/.exec(json.slice(end));
        if (value) {
          const start = end + value[0].length;
          return json.slice(start, scanObject(json, start).end);
        }
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Behind the closing quote of the string that starts at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}

function escapeControls(json: string): string {
  let inString = false;
  let out = '';
  for (let at = 0; at < json.length; at++) {
    const char = json.charAt(at);
    if (inString && char === '\\') {
      out += char + json.charAt(at + 1);
      at++;
      continue;
    }
    if (char === '"') inString = !inString;
    out += inString && char < ' ' ? JSON.stringify(char).slice(1, -1) : char;
  }
  return out;
}
