/**
 * A pattern with the meaning of Python's `glob.glob(..., recursive=True)`: `**` as a whole part is
 * any number of folders, `*` and `?` stay inside one part, names that start with a dot match only a
 * part that does too; braces and backslashes have no meaning. Not picomatch: its regular
 * expressions take for ever on `*a*a*a*a*a*b`, and the pattern is written by a model.
 */
export interface GlobPattern {
  /** Leading parts without wildcards, `/` between them; where the search starts. */
  base: string;
  matches(relativeToBase: string): boolean;
}

export function globPattern(pattern: string): GlobPattern {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  // The last part is a file name, so that it is always matched against what is listed.
  const split = wild === -1 ? parts.length - 1 : wild;
  const tests = parts
    .slice(split)
    .filter((part, at, all) => part !== '' && !(part === '**' && all[at - 1] === '**'))
    .map((part) => (part === '**' ? '**' : nameTest(part)));
  return {
    base: parts.slice(0, split).join('/') || (pattern.startsWith('/') ? '/' : '.'),
    // With a slash at the end Python finds folders only, and folders are no files.
    matches: (path) => !pattern.endsWith('/') && matchParts(path.split('/'), tests),
  };
}

type NameTest = (name: string) => boolean;

/** Follows all ways through the pattern at once, so that no pattern is slow. */
function matchParts(names: readonly string[], tests: readonly ('**' | NameTest)[]): boolean {
  let states = reach(new Set([0]), tests);
  for (const [at, name] of names.entries()) {
    const next = new Set<number>();
    for (const state of states) {
      const test = tests[state];
      if (test === undefined) continue;
      if (test !== '**') {
        if (test(name)) next.add(state + 1);
      } else if (!name.startsWith('.')) {
        // A trailing `**` takes the file itself, too.
        const isFile = at === names.length - 1;
        next.add(isFile && state === tests.length - 1 ? state + 1 : state);
      }
    }
    states = at === names.length - 1 ? next : reach(next, tests);
  }
  return states.has(tests.length);
}

/** `**` may also stand for no folder at all; but at the end it stands for a file at least. */
function reach(states: ReadonlySet<number>, tests: readonly ('**' | NameTest)[]): Set<number> {
  const all = new Set(states);
  for (const state of all) if (tests[state] === '**') all.add(state + 1);
  return all;
}

type Token = '*' | ((char: string) => boolean);

function nameTest(part: string): NameTest {
  const tokens = tokensOf(part);
  const mayBeHidden = part.startsWith('.');
  return (name) => (mayBeHidden || !name.startsWith('.')) && matchName(Array.from(name), tokens);
}

/** Goes back to the last `*` only, which is enough, and linear in each star. */
function matchName(name: readonly string[], tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current === '*') {
      star = token++;
      starAt = at;
    } else if (current?.(name[at] ?? '')) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

function tokensOf(part: string): Token[] {
  const chars = Array.from(part);
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    // A `]` right behind the opening belongs to the set.
    const from = chars[at + 1] === '!' ? at + 2 : at + 1;
    const close = char === '[' ? chars.indexOf(']', from + 1) : -1;
    if (char === '*') tokens.push('*');
    else if (char === '?') tokens.push(() => true);
    else if (close === -1) tokens.push((other) => other === char);
    else {
      tokens.push(setTest(chars.slice(from, close), from === at + 2));
      at = close;
    }
  }
  return tokens;
}

/** `[abc0-9]`, turned around by `[!`. */
function setTest(chars: readonly string[], negated: boolean): (char: string) => boolean {
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at++) {
    const low = chars[at] ?? '';
    const high = chars[at + 1] === '-' ? chars[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (char) => ranges.some(([low, high]) => low <= char && char <= high) !== negated;
}
