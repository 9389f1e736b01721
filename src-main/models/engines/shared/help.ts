/** Long flags and the values they accept, as a program's own help lists them. */
export interface HelpFlags {
  flags: Set<string>;
  choices: Map<string, string[]>;
}

/**
 * Reads the help of argparse (vLLM, SGLang) and of llama.cpp. Flags are taken from where they are
 * declared, since prose names others; choices are the `{a,b,c}` beside a flag.
 */
export function parseHelp(text: string): HelpFlags {
  const flags = new Set<string>();
  const choices = new Map<string, string[]>();
  // Braces are broken over lines where they are long.
  const whole = text.replace(/\{[^{}]*\}/g, (braces) => braces.replace(/\s+/g, ''));
  for (const line of whole.split('\n')) {
    for (const declared of declarations(line.trim())) {
      const listed = /\{([^{}]+)\}/.exec(declared.text)?.[1];
      for (const name of declared.names) {
        flags.add(name);
        if (listed !== undefined && !choices.has(name)) choices.set(name, listed.split(','));
      }
    }
  }
  return { flags, choices };
}

interface Declaration {
  names: string[];
  text: string;
}

/** `--a, --no-a VALUE  prose` declares two names; a usage line declares each in brackets. */
function declarations(line: string): Declaration[] {
  if (line.startsWith('usage:') || line.startsWith('[-')) {
    return (line.match(/\[-[^[\]]*\]/g) ?? []).map((text) => ({
      names: text.match(/(?<=[[\s])--[a-z0-9][\w-]*/gi) ?? [],
      text,
    }));
  }
  if (!line.startsWith('-')) return [];
  // llama.cpp pads between a short and a long name: `-m,    --model FNAME     prose`.
  const joined = line.replace(/,\s+(?=-)/g, ', ');
  // Prose begins after two blanks.
  const text = joined.split(/\s{2,}/, 1)[0] ?? '';
  const names = text.split(', ').flatMap((part) => /^--[a-z0-9][\w-]*/i.exec(part)?.[0] ?? []);
  return [{ names, text }];
}
