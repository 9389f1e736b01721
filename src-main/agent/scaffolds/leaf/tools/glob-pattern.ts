import picomatch from 'picomatch';

/**
 * A pattern with the meaning of Python's `glob.glob(..., recursive=True)`: `**` as a whole part is
 * any number of folders, `*` and `?` stay inside one part, names that start with a dot match only a
 * part that does too. Braces, backslashes and the like have no meaning.
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
    .filter((part) => part !== '')
    .map(partTest);
  return {
    base: parts.slice(0, split).join('/') || (pattern.startsWith('/') ? '/' : '.'),
    matches: (path) => matchParts(path.split('/'), 0, tests, 0),
  };
}

type PartTest = '**' | ((name: string) => boolean);

function partTest(part: string): PartTest {
  if (part === '**') return '**';
  const literal = part
    .replace(/[\\(){}!+@|"'$^]/g, (char, at: number) => {
      // A leading `!` in brackets negates; picomatch writes that `^`.
      if (char === '!' && part[at - 1] === '[') return '^';
      return `\\${char}`;
    })
    .replace(/\*{2,}/g, '*');
  return picomatch(literal, {
    nobrace: true,
    noextglob: true,
    nonegate: true,
    dot: part.startsWith('.'),
  });
}

function matchParts(names: string[], at: number, tests: PartTest[], test: number): boolean {
  const current = tests[test];
  if (current === undefined) return at === names.length;
  if (current !== '**') {
    return (
      at < names.length && current(names[at] ?? '') && matchParts(names, at + 1, tests, test + 1)
    );
  }
  // A trailing `**` takes the file itself, too.
  if (test === tests.length - 1) return names.slice(at).every((name) => !name.startsWith('.'));
  for (let next = at; next < names.length; next++) {
    if (matchParts(names, next, tests, test + 1)) return true;
    if (names[next]?.startsWith('.')) return false;
  }
  return false;
}
