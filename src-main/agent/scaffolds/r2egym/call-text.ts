/**
 * One call as R2E-Gym writes it: `<function=NAME>`, parameters, `</function>`. The original takes the
 * first block and cuts a value at the first `</parameter>`, also inside code (L10); here a value ends
 * where a further parameter or the end of the function follows.
 */
export interface FoundCall {
  start: number;
  name: string;
  /** In the order written; values as they stand between the tags. */
  parameters: Map<string, string>;
  /** What had to be repaired. */
  notes: string[];
  /** Text behind it, and whether another call is in it. */
  rest: string;
}

export type CallSearch =
  | { kind: 'found'; call: FoundCall }
  | { kind: 'broken'; start: number; fault: string }
  | { kind: 'none' };

// A name ends at the next `<`, and its blanks are read once only: a reply that is one tag repeated
// without end, or blanks without end, must not take time that grows with its square.
const OPEN = /<function\s*=([^<>]*)>/;
const PARAMETER = /<parameter\s*=([^<>]+)>/y;
const END = '</function>';
/** Ends a value: the tag, blanks, and then what can only follow a value. */
const VALUE_END = /<\/parameter>(?=\s*(?:<parameter\s*=|<\/function>|$))/g;

/** The first call of a text. */
export function findCall(text: string): CallSearch {
  const open = OPEN.exec(text);
  if (!open) return { kind: 'none' };
  const start = open.index;
  const name = (open[1] ?? '').trim();
  const parameters = new Map<string, string>();
  const notes: string[] = [];
  let at = start + open[0].length;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (text.startsWith(END, at)) {
      const rest = text.slice(at + END.length);
      return { kind: 'found', call: { start, name, parameters, notes, rest } };
    }
    PARAMETER.lastIndex = at;
    const tag = PARAMETER.exec(text);
    if (!tag) return ended(text, at, { start, name, parameters, notes });
    const from = at + tag[0].length;
    const end = valueEnd(text, from);
    const key = (tag[1] ?? '').trim();
    if (end === null) return { kind: 'broken', start, fault: `the value of ${key} has no end` };
    parameters.set(key, text.slice(from, end));
    at = end + '</parameter>'.length;
  }
}

/** Neither a parameter nor the end of the function: whole only if nothing follows. */
function ended(text: string, at: number, call: Omit<FoundCall, 'rest'>): CallSearch {
  const rest = text.slice(at);
  const later = rest.indexOf(END);
  if (rest.trim() === '' && call.parameters.size > 0) {
    const notes = [...call.notes, '</function> was missing'];
    return { kind: 'found', call: { ...call, notes, rest: '' } };
  }
  if (later === -1)
    return { kind: 'broken', start: call.start, fault: `<function=${call.name}> has no end` };
  // As the original: what is no parameter inside the block does not count.
  const notes = [...call.notes, 'text between the parameters was left out'];
  return { kind: 'found', call: { ...call, notes, rest: rest.slice(later + END.length) } };
}

function valueEnd(text: string, from: number): number | null {
  VALUE_END.lastIndex = from;
  const sure = VALUE_END.exec(text);
  if (sure) return sure.index;
  const first = text.indexOf('</parameter>', from);
  return first === -1 ? null : first;
}

/** As the history keeps a call, whatever blanks the model wrote around the values. */
export function callText(name: string, parameters: ReadonlyMap<string, string>): string {
  const lines = [...parameters].map(
    ([key, value]) => `  <parameter=${key}>${value.trim()}</parameter>\n`,
  );
  return `<function=${name}>\n${lines.join('')}</function>`;
}
