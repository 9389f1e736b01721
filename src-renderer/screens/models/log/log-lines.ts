/** Lines of a log, and where it first says that something is wrong. All pure. */

export interface LogLine {
  /** From 0, over all lines that were told. */
  number: number;
  text: string;
}

/** A line longer than this is cut where it is shown; copying has all of it. */
const MOST_CHARACTERS = 2_000;

export function shownOf({ text }: LogLine): string {
  return text.slice(0, MOST_CHARACTERS);
}

/** What engines write in front of a fault; words like `error_rate=0` are none. */
const FAULT =
  /(?:^|[\s[(|:])(?:ERROR|CRITICAL|FATAL|Error|Exception|Traceback)\b|\b\w+(?:Error|Exception):|\b(?:error|fatal):|out of memory|segmentation fault/;

/** Said by engines in the course of a start that goes well. */
const HARMLESS = /\b(?:0 errors|no errors?|error_?(?:rate|count|correction))\b/i;

export function isFault(line: string): boolean {
  return FAULT.test(line) && !HARMLESS.test(line);
}

export function numbered(batches: ReadonlyArray<readonly string[]>, most: number): LogLine[] {
  const lines = batches.flat();
  const first = Math.max(0, lines.length - most);
  return lines.slice(first).map((text, index) => ({ number: first + index, text }));
}

/** Lines that have the words, whatever their case. */
export function filtered(lines: readonly LogLine[], words: string): readonly LogLine[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return lines;
  return lines.filter(({ text }) => text.toLowerCase().includes(wanted));
}

/** The fault the engine named, where its line is in the log; else the first line that looks like one. */
export function firstFault(lines: readonly LogLine[], named: string | null): LogLine | null {
  const known =
    named === null || named === ''
      ? undefined
      : lines.find(({ text }) => text.includes(named) || (text !== '' && named.startsWith(text)));
  return known ?? lines.find(({ text }) => isFault(text)) ?? null;
}
