/** Long flags and the values they accept, as a program's own help lists them. */
export interface HelpFlags {
  flags: Set<string>;
  choices: Map<string, string[]>;
}

const LONG = /(?<![\w-])--[a-z0-9][\w-]*/gi;

/**
 * Reads the help of argparse (vLLM, SGLang) and of llama.cpp. Flags are taken from the start of an
 * entry, since the prose of one names others; choices are the `{a,b,c}` beside a flag.
 */
export function parseHelp(text: string): HelpFlags {
  const flags = new Set<string>();
  const choices = new Map<string, string[]>();
  // Braces are broken over lines where they are long.
  const whole = text.replace(/\{[^{}]*\}/g, (braces) => braces.replace(/\s+/g, ''));
  for (const line of whole.split('\n')) {
    const head = headOf(line);
    if (head === null) continue;
    const names = head.match(LONG) ?? [];
    for (const name of names) flags.add(name);
    const listed = /\{([^{}]+)\}/.exec(head)?.[1];
    if (listed === undefined) continue;
    for (const name of names) if (!choices.has(name)) choices.set(name, listed.split(','));
  }
  return { flags, choices };
}

/**
 * The part of a line that declares flags: what stands before the prose, which begins after two
 * blanks; `null` for a line of prose. Usage lines declare flags in square brackets.
 */
function headOf(line: string): string | null {
  const text = line.trim();
  if (text.startsWith('[-') || text.startsWith('usage:')) return text;
  if (!text.startsWith('-')) return null;
  // llama.cpp pads between a short and a long name: `-m,    --model FNAME     text`.
  const joined = text.replace(/,\s+(?=-)/g, ', ');
  const end = joined.search(/\s{2,}(?!-)/);
  return end === -1 ? joined : joined.slice(0, end);
}
