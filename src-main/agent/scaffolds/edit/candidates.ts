import type { Folded } from '../text/lines.ts';
import { foldOut } from '../text/lines.ts';

/** A stretch of the file's text that stands for old_string. */
export interface Match {
  start: number;
  end: number;
}

/** One way to read the two strings of an Edit, and where the file agrees. */
export interface Reading {
  /** At most {@link MAX_MATCHES}, ascending. */
  matches: Match[];
  /** How many there are in all. */
  count: number;
  /** old_string and new_string as they are read, with `\n` line ends. */
  old: string;
  new: string;
  /** What the model is told; `null` for the exact reading. */
  note: string | null;
}

export interface EditTexts {
  /** The file. */
  file: string;
  /** Both with `\n` line ends only. */
  old: string;
  new: string;
}

const CRLF = /\r(?=\n)/g;

/** More are counted but not kept: nobody means to replace so many by an Edit. */
export const MAX_MATCHES = 100_000;

/** Where `needle` stands, left to right, not overlapping; as Python's `str.count` counts. */
function occurrences(text: string, needle: string): { places: number[]; count: number } {
  const places: number[] = [];
  let count = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    if (count++ < MAX_MATCHES) places.push(at);
  }
  return { places, count };
}

/** The original's own rule: exact substrings, with every `\r\n` of the file read as `\n`. */
export function exactReading(texts: EditTexts): Reading {
  const folded = foldOut(texts.file, CRLF);
  return { ...texts, ...inFolded(folded, texts.old), note: null };
}

/**
 * Readings tried when the exact one finds nothing, from the smallest help to the largest. Each is
 * used only if it matches exactly one place. None guesses by similarity.
 */
export const HELPFUL_READINGS: readonly ((texts: EditTexts) => Reading | undefined)[] = [
  withoutTrailingBlanks,
  withPlainPunctuation,
  withoutNumbers,
  withOtherIndent,
  withBackslashN,
];

/** The look-behind keeps a long run of blanks from being tried at each of its characters. */
const TRAILING = /(?<![ \t])[ \t]+(?=\r?\n|$)|\r(?=\n)/g;

/** `undefined` when nothing would be left, or when the end is the indent of a line that goes on. */
function trimLineEnds(text: string): string | undefined {
  const trimmed = text.replace(TRAILING, '');
  return trimmed.trim() === '' || /\n[ \t]+$/.test(text) ? undefined : trimmed;
}

function withoutTrailingBlanks(texts: EditTexts): Reading | undefined {
  const needle = trimLineEnds(texts.old);
  if (needle === undefined) return undefined;
  const folded = foldOut(texts.file, TRAILING);
  const note = 'old_string differed from the file in blanks at line ends';
  return { ...texts, ...inFolded(folded, needle), note };
}

/** One to one, so that positions stay. */
const PUNCTUATION: Record<string, string> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u00a0': ' ',
  '\u2007': ' ',
  '\u202f': ' ',
};
const FANCY = new RegExp(`[${Object.keys(PUNCTUATION).join('')}]`, 'g');

function withPlainPunctuation(texts: EditTexts): Reading | undefined {
  const plain = (text: string): string => text.replace(FANCY, (char) => PUNCTUATION[char] ?? char);
  const folded = foldOut(plain(texts.file), TRAILING);
  const needle = trimLineEnds(plain(texts.old));
  if (needle === undefined) return undefined;
  const note = 'old_string differed from the file in quotes, dashes or no-break spaces';
  return { ...texts, ...inFolded(folded, needle), note };
}

/** Drops the `N. ` in front of every line, as copied from Read; the numbers must count up by one. */
function withoutNumbers(texts: EditTexts): Reading | undefined {
  const old = stripNumbers(texts.old);
  if (old === undefined) return undefined;
  const note = 'the line numbers in front of the lines were taken off';
  return exactIn({ ...texts, old, new: stripNumbers(texts.new) ?? texts.new }, note);
}

function stripNumbers(text: string): string | undefined {
  const lines = text.split('\n');
  const closed = lines.length > 1 && lines.at(-1) === '';
  if (closed) lines.pop();
  const numbers: number[] = [];
  const stripped = lines.map((line) => {
    const match = /^\s*(\d+)\.(?: (.*)|)$/.exec(line);
    numbers.push(match ? Number(match[1]) : Number.NaN);
    return match?.[2] ?? '';
  });
  const first = numbers[0] ?? Number.NaN;
  if (!numbers.every((number, index) => number === first + index)) return undefined;
  return stripped.join('\n') + (closed ? '\n' : '');
}

/** All lines are indented by the same blanks more, or less, than in the file. */
function withOtherIndent(texts: EditTexts): Reading | undefined {
  const body = texts.old.replace(/\n$/, '');
  const oldLines = body.split('\n').map((line) => line.trimEnd());
  if (oldLines.every((line) => line === '')) return undefined;
  const folded = foldOut(texts.file, CRLF);
  const fileLines = folded.text.split('\n');
  const starts = lineStarts(fileLines);
  const matches: (Match & { delta: Indent })[] = [];
  for (let at = 0; at + oldLines.length <= fileLines.length; at++) {
    const delta = indentDelta(oldLines, fileLines, at);
    if (!delta) continue;
    const last = at + oldLines.length - 1;
    const end = (starts[last] ?? 0) + (fileLines[last] ?? '').length;
    const closed = body.length < texts.old.length;
    if (closed && last === fileLines.length - 1) continue;
    matches.push({
      start: folded.toOriginal(starts[at] ?? 0),
      end: folded.toOriginal(closed ? end + 1 : end),
      delta,
    });
  }
  const moved =
    matches.length === 1 && matches[0] ? reindent(texts.new, matches[0].delta) : texts.new;
  if (moved === undefined) return undefined;
  const note = 'old_string was indented differently; new_string was moved by the same amount';
  return { old: texts.old, new: moved, matches, count: matches.length, note };
}

type Indent = { add: string } | { remove: string };

function indentDelta(old: string[], file: string[], at: number): Indent | undefined {
  let delta: Indent | undefined;
  for (const [index, line] of old.entries()) {
    const there = (file[at + index] ?? '').trimEnd();
    if (line === '' || there === '') {
      if (line !== there) return undefined;
      continue;
    }
    const found: Indent | undefined = there.endsWith(line)
      ? { add: there.slice(0, there.length - line.length) }
      : line.endsWith(there)
        ? { remove: line.slice(0, line.length - there.length) }
        : undefined;
    if (!found || !/^[ \t]*$/.test(blanksOf(found))) return undefined;
    delta ??= found;
    if (JSON.stringify(delta) !== JSON.stringify(found)) return undefined;
  }
  return delta;
}

function blanksOf(indent: Indent): string {
  return 'add' in indent ? indent.add : indent.remove;
}

function reindent(text: string, indent: Indent): string | undefined {
  const lines = text.split('\n');
  const moved = lines.map((line) => {
    if (line.trim() === '') return line;
    if ('add' in indent) return indent.add + line;
    return line.startsWith(indent.remove) ? line.slice(indent.remove.length) : undefined;
  });
  return moved.includes(undefined) ? undefined : moved.join('\n');
}

/**
 * The model wrote backslash-n for line breaks. Only if neither string has a real one: otherwise the
 * model does write real ones, and its backslash-n is meant as such.
 */
function withBackslashN(texts: EditTexts): Reading | undefined {
  if (!texts.old.includes('\\n') || texts.old.includes('\n') || texts.new.includes('\n'))
    return undefined;
  const read = (text: string): string => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
  const note = 'the backslash-n in old_string and new_string was read as a line break';
  return exactIn({ ...texts, old: read(texts.old), new: read(texts.new) }, note);
}

function exactIn(texts: EditTexts, note: string): Reading | undefined {
  return texts.old === '' ? undefined : { ...exactReading(texts), note };
}

function inFolded(folded: Folded, needle: string): Pick<Reading, 'matches' | 'count'> {
  const { places, count } = occurrences(folded.text, needle);
  const matches = places.map((at) => ({
    start: folded.toOriginal(at),
    end: folded.toOriginal(at + needle.length),
  }));
  return { matches, count };
}

function lineStarts(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}
