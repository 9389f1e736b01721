/** One instruction of a Dockerfile, continuation lines joined. */
export interface Instruction {
  /** In capitals: `FROM`, `RUN`, ... */
  name: string;
  rest: string;
  /** Where it begins, from 1. */
  line: number;
}

/** Instructions in order; comments, blank lines and here-documents' bodies are part of none. */
export function dockerInstructions(text: string): Instruction[] {
  const lines = text.split(/\r?\n/);
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const start = at;
    let whole = lines[at] ?? '';
    if (/^\s*(#|$)/.test(whole)) continue;
    while (/\\\s*$/.test(whole) && at + 1 < lines.length) {
      at += 1;
      const next = lines[at] ?? '';
      whole = whole.replace(/\\\s*$/, '') + (/^\s*#/.test(next) ? '\\' : `\n${next}`);
    }
    const match = /^\s*([A-Za-z]+)\s+([\s\S]*)$/.exec(whole);
    if (match)
      found.push({ name: (match[1] ?? '').toUpperCase(), rest: match[2] ?? '', line: start + 1 });
  }
  return found;
}

/** The absolute folder that the last stage works in; `undefined` when it does not say, or by a variable. */
export function lastWorkdir(text: string): string | undefined {
  let folder: string | undefined;
  for (const { name, rest } of dockerInstructions(text)) {
    if (name === 'FROM') folder = undefined;
    if (name !== 'WORKDIR') continue;
    const named = rest.trim().replace(/^(["'])(.*)\1$/, '$2');
    folder = /^\/[^$]*$/.test(named) ? named : undefined;
  }
  return folder;
}
