import { findBareJson, findHermes } from './hermes.ts';
import { findQwenCoder } from './qwen-coder.ts';
import type { Found, TextCall, TextCalls } from './types.ts';

export type { TextCall, TextCalls } from './types.ts';
export { isObject, parseObject } from './json-object.ts';

/**
 * Finds tool calls in plain text: hermes JSON (`<tool_call>{...}</tool_call>`), Qwen3-Coder XML
 * (`<function=Name><parameter=key>value</parameter></function>`), or a text that is nothing but one
 * JSON call. Tolerates a missing `>` or closing tag where that leaves no doubt where a value ends;
 * a value that nothing ends may be cut off, so its call is `broken`.
 *
 * @param toolNames Only for a bare JSON call: it counts as one only if it names one of these.
 */
export function parseCallsFromText(text: string, toolNames: readonly string[]): TextCalls {
  const hermes = findHermes(text);
  const found = withoutOverlap([...hermes, ...findQwenCoder(text)]);
  const all = found.length > 0 ? found : findBareJson(text, toolNames);
  const calls: TextCall[] = [];
  const notes: string[] = [];
  const broken: string[] = [];
  let rest = '';
  let at = 0;
  for (const one of all) {
    rest += text.slice(at, one.start);
    at = one.end;
    if (one.ok) {
      calls.push(one.call);
      notes.push(...one.notes.map((note) => `${one.call.name}: ${note}`));
    } else broken.push(one.fault);
  }
  return { calls, rest: (rest + text.slice(at)).trim(), notes, broken };
}

/** One form may quote the other inside a value; the outer one counts. */
function withoutOverlap(found: Found[]): Found[] {
  const sorted = found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Found[] = [];
  for (const one of sorted) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  }
  return kept;
}
