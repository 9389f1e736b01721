import path from 'node:path';
import type { FileChange, StatementFacts } from '../types.ts';
import { plain } from './failing-output.ts';

/** A statement that says less says nothing. */
const LEAST_CHARS = 40;
const LEAST_WORDS = 7;
/** Shorter lines of code are alike by chance. */
const LEAST_LINE = 6;
/** A line of nothing but words may be prose, unless it is long. */
const LEAST_PROSE = 24;

const EXTENSION = /\.[^./]+$/;

/**
 * What a statement gives away of the fix, or why it is none: each file, line number and symbol of the
 * places of the bug, and each line of code of the fix or of the bug, that neither the failing output
 * nor the name of a failing test shows; a diff; too little text. A symbol that is a plain lower-case
 * word counts only where it is written as code. Empty = may be used.
 */
export function leaksOf(text: string, facts: StatementFacts): string[] {
  const shown = plain(facts.failing.flatMap(({ name, output }) => [name, output]).join('\n'));
  return [
    ...new Set([...shapeOf(text), ...placesIn(text, shown, facts), ...codeIn(text, shown, facts)]),
  ];
}

function shapeOf(text: string): string[] {
  const bare = text.trim();
  if (bare === '') return ['the text is empty'];
  const found: string[] = [];
  if (bare.length < LEAST_CHARS || bare.split(/\s+/).length < LEAST_WORDS) {
    found.push('the text is too short');
  }
  if (/^(?:diff --git |@@ .*@@|--- (?:a\/|\S+\.\w+)|\+\+\+ )/m.test(bare)) found.push('a diff');
  return found;
}

function placesIn(text: string, shown: string, { candidate }: StatementFacts): string[] {
  const paths = new Set([
    ...candidate.changes.map((change) => change.path),
    ...candidate.places.map((place) => place.path),
  ]);
  const found: string[] = [];
  for (const file of paths) {
    const tells = fileSpellings(file).find((one) => hasToken(text, one) && !hasToken(shown, one));
    if (tells !== undefined) found.push(`file ${tells}`);
    else if (namesSymbol(text, shown, stemOf(file))) found.push(`file ${stemOf(file)}`);
  }
  for (const { line, symbol } of candidate.places) {
    if (numbersIn(text).has(line) && !numbersIn(shown).has(line)) found.push(`line ${line}`);
    for (const name of symbolSpellings(symbol)) {
      if (namesSymbol(text, shown, name)) found.push(`symbol ${name}`);
    }
  }
  return found;
}

/** `src/pkg/a.py`: itself, `a.py`, `src.pkg.a`, `pkg.a`. */
function fileSpellings(file: string): string[] {
  const parts = file.replace(EXTENSION, '').split('/');
  const dotted = parts.slice(0, -1).map((_, at) => parts.slice(at).join('.'));
  return [file, path.posix.basename(file), ...dotted];
}

function stemOf(file: string): string {
  return path.posix.basename(file).replace(EXTENSION, '');
}

function symbolSpellings(symbol: string | null): string[] {
  if (symbol === null) return [];
  const parts = symbol.split(/[.#]|::/).filter((part) => part !== '');
  return [...new Set([symbol, ...parts])];
}

function numbersIn(text: string): Set<number> {
  const said = text.matchAll(/\b[Ll]ines?:?\s+(\d+)|\.\w{1,4}:(\d+)|#L(\d+)/g);
  return new Set([...said].map(([, a, b, c]) => Number(a ?? b ?? c)));
}

function namesSymbol(text: string, shown: string, name: string): boolean {
  if (name.length < 2) return false;
  const word = escaped(name);
  // `test_parse_url` shows `parse_url`.
  if (new RegExp(`(?<![A-Za-z0-9])${word}(?![A-Za-z0-9])`).test(shown)) return false;
  if (!/^[a-z]+$/.test(name)) return new RegExp(`(?<![\\w$])${word}(?![\\w$])`).test(text);
  const kinds = '(?:function|method|class|module|file|helper|routine|property|variable)';
  const asCode = [
    `\\b${word}\\(`,
    `\\w\\.${word}\\b`,
    `\\b${word}\\.\\w`,
    `[\`'"]${word}[\`'"]`,
    `\\b${kinds} ${word}\\b`,
    `\\b${word} ${kinds}\\b`,
  ];
  return asCode.some((pattern) => new RegExp(pattern).test(text));
}

function hasToken(text: string, token: string): boolean {
  return new RegExp(`(?<![\\w-])${escaped(token)}(?!\\w)`).test(text);
}

function codeIn(text: string, shown: string, { candidate }: StatementFacts): string[] {
  const said = normal(text);
  const seen = normal(shown);
  return candidate.changes
    .flatMap(changedLines)
    .filter((line) => said.includes(line) && !seen.includes(line))
    .map((line) => `code ${line}`);
}

/** Lines that stand on one side only, without blanks at their ends and with single ones inside. */
function changedLines({ before, after }: FileChange): string[] {
  const was = linesOf(before);
  const is = linesOf(after);
  return [...[...was].filter((line) => !is.has(line)), ...[...is].filter((line) => !was.has(line))];
}

function linesOf(file: FileChange['before']): Set<string> {
  if (file === null) return new Set();
  const text = new TextDecoder().decode(file.content);
  return new Set(normal(text).split('\n').filter(isCode));
}

function isCode(line: string): boolean {
  if (line.replaceAll(' ', '').length < LEAST_LINE) return false;
  return line.length >= LEAST_PROSE ? /\w/.test(line) : /\w/.test(line) && /[^A-Za-z ]/.test(line);
}

function normal(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
