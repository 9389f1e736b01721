/**
 * Reads a Python list or tuple of strings as `repr` writes it, without running anything. Refuses all
 * that is no plain text: the grammar of strings is that of Python's lexical analysis.
 */

/** Why a text is no list of strings; a reason for people. */
export class LiteralProblem extends Error {}

type Token = { kind: 'text'; value: string } | { kind: 'mark'; value: '[' | ']' | '(' | ')' | ',' };

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')' };

/** Members in order. Throws {@link LiteralProblem}. */
export function parsePythonStrings(source: string): string[] {
  const tokens = [...tokensOf(source)];
  // A list with one bracket only, or with parentheses around one string, is no list.
  const opening = tokens[0];
  const end = opening?.kind === 'mark' ? CLOSING[opening.value] : undefined;
  const last = tokens.at(-1);
  if (opening === undefined || end === undefined) throw new LiteralProblem('it is no list');
  if (last?.kind !== 'mark' || last.value !== end || tokens.length < 2) {
    throw new LiteralProblem('it does not end where it should; it may have been cut off');
  }
  const { members, commas, joined } = membersOf(tokens.slice(1, -1));
  if (joined && commas === 0) {
    throw new LiteralProblem(
      'its strings stand beside each other without commas, as numpy prints them, so where one ends is not known',
    );
  }
  if (opening.value === '(' && commas === 0 && members.length > 0) {
    throw new LiteralProblem('it is text in parentheses, no list');
  }
  return members;
}

function membersOf(tokens: readonly Token[]): {
  members: string[];
  commas: number;
  joined: boolean;
} {
  const members: string[] = [];
  let commas = 0;
  let joined = false;
  let open: string | undefined;
  for (const { kind, value } of tokens) {
    if (kind === 'text') {
      joined ||= open !== undefined;
      open = (open ?? '') + value;
      continue;
    }
    if (value !== ',') throw new LiteralProblem('it holds a list inside the list');
    if (open === undefined) throw new LiteralProblem('it has a comma without a name before it');
    members.push(open);
    open = undefined;
    commas += 1;
  }
  if (open !== undefined) members.push(open);
  return { members, commas, joined };
}

const OPENING = /^([A-Za-z]{0,2})('''|"""|'|")/;
/** Longest name with quote marks that {@link OPENING} has to see. */
const OPENING_CHARS = 5;

function* tokensOf(source: string): Generator<Token> {
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (/\s/.test(character)) {
      at += 1;
    } else if (character === '#') {
      const feed = source.indexOf('\n', at);
      at = feed === -1 ? source.length : feed + 1;
    } else if ('[](),'.includes(character)) {
      yield { kind: 'mark', value: character as '[' | ']' | '(' | ')' | ',' };
      at += 1;
    } else {
      const opening = OPENING.exec(source.slice(at, at + OPENING_CHARS));
      if (!opening)
        throw new LiteralProblem(`it holds ${strangerAt(source, at)}, which is no text`);
      const [all, prefix = '', quotes = ''] = opening;
      const isRaw = rawOf(prefix);
      const read = readString(source, at + all.length, quotes, isRaw);
      yield { kind: 'text', value: read.value };
      at = read.end;
    }
  }
}

/** Whether a prefix makes a string raw. */
function rawOf(prefix: string): boolean {
  const small = prefix.toLowerCase();
  if (small.includes('f') || small.includes('t')) {
    throw new LiteralProblem('it holds a formatted string, which is code');
  }
  if (small.includes('b')) throw new LiteralProblem('it holds bytes where a name should be');
  if (small === '' || small === 'u') return false;
  if (small === 'r') return true;
  throw new LiteralProblem(`it holds a string with the unknown prefix ${prefix}`);
}

function strangerAt(source: string, at: number): string {
  if (source.startsWith('...', at)) return 'an ellipsis (printed in part)';
  const word = /^[\w.+-]{1,30}/.exec(source.slice(at, at + 30))?.[0];
  return word === undefined ? `the character ${source.charAt(at)}` : word;
}

function readString(
  source: string,
  from: number,
  quotes: string,
  isRaw: boolean,
): { value: string; end: number } {
  const parts: string[] = [];
  let start = from;
  for (let at = from; at < source.length;) {
    if (source.startsWith(quotes, at)) {
      parts.push(source.slice(start, at));
      return { value: parts.join(''), end: at + quotes.length };
    }
    const character = source.charAt(at);
    if (character === '\n' && quotes.length === 1) break;
    if (character !== '\\') {
      at += 1;
    } else if (isRaw) {
      // A backslash keeps even a quote from ending a raw string, and stays itself.
      at += 2;
    } else {
      const escape = readEscape(source, at);
      parts.push(source.slice(start, at), escape.value);
      at = escape.end;
      start = at;
    }
  }
  throw new LiteralProblem('a string in it has no end; it may have been cut off');
}

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(source: string, at: number): { value: string; end: number } {
  const letter = source.charAt(at + 1);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { value: simple, end: at + 2 };
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) {
    return {
      value: String.fromCodePoint(Number.parseInt(octal, 8)),
      end: at + 1 + octal.length,
    };
  }
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) {
    const hex = source.slice(at + 2, at + 2 + digits);
    const code = Number.parseInt(hex, 16);
    if (!new RegExp(`^[0-9A-Fa-f]{${digits}}$`).test(hex) || code > 0x10ffff) {
      throw new LiteralProblem(`it holds the broken escape \\${letter}${hex}`);
    }
    return { value: String.fromCodePoint(code), end: at + 2 + digits };
  }
  if (letter === 'N')
    throw new LiteralProblem('it holds a character by its Unicode name (\\N{...})');
  // Python keeps the backslash of an escape that it does not know.
  return { value: '\\', end: at + 1 };
}
