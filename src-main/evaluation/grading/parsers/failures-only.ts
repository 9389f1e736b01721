import { MAX_LINE } from './lines.ts';
import type { LogParser, Results } from './types.ts';
import { withoutColours } from './nested.ts';

/** Suites of browsers and linters whose log only names what failed. */

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The group of each line that a pattern fits; with `whole`, a line that has an end. */
function failedLines(log: string, pattern: RegExp, whole = true): string[] {
  const lines = log.split('\n');
  if (whole) lines.pop();
  return lines.flatMap((line) => {
    const told = line.endsWith('FAILED') && line.length <= MAX_LINE;
    const match = told ? pattern.exec(line) : null;
    return match === null ? [] : [match.at(-1) ?? ''];
  });
}

const BPMN = [
  /2KPhantomJS\s[\d.]+\s\(Linux\s[\d.]+\)\s(.*)FAILED$/s,
  /2KPhantomJS\s[\d.]+\s\(Linux\sx86_64\)\s(.*)FAILED$/s,
  /Chrome\sHeadless\s(?:.*)\s\(Linux\sx86_64\)\s(.*)FAILED$/s,
  /HeadlessChrome\s[\d.]+\s\(Linux\s[\d.]+\)\s(.*)FAILED$/s,
] as const;

export const bpmnJs: LogParser = (log) => {
  const names = BPMN.flatMap((pattern) => failedLines(log, pattern));
  return new Map(names.map((name) => [name, 'FAILED']));
};

export const chartJs: LogParser = (log) => {
  const pattern = /Chrome\s[\d.]+[^\S\r\n]\(.+?\)[^\S\r\n](.*)FAILED$/s;
  const names = failedLines(withoutColours(log), pattern, false);
  return new Map(names.map((name) => [name, 'FAILED']));
};

export const openlayers: LogParser = (log) => {
  const found: Results = new Map();
  const add = (name: string): unknown => found.set(collapsed(name), 'FAILED');
  failedLines(log, /Chrome\sHeadless\s[\d.]+\s\(Linux\s\S+\)\s(.*)\sFAILED$/s).forEach(add);
  failedLines(log, /Chrome\s[\d.]+\s\(Linux\s\S+\)\s(.*)FAILED$/s).forEach(add);
  eachAfter(log, /^\s{2}\d+\)/gm, (from) => {
    const end = log.indexOf('Error:', from);
    if (end < 0) return undefined;
    add(log.slice(from, end));
    return end + 'Error:'.length;
  });
  for (const match of log.matchAll(/^case\s([^\n]*):\smismatch/gm)) add(match[1] ?? '');
  return found;
};

/** mocha's list of failures: a number, the name over several lines, then the error. */
export const eslint: LogParser = (log) => {
  const found: Results = new Map();
  eachAfter(log, /\s{2}\d+\)/g, (from) => {
    const error = nextError(log, from);
    if (error === undefined) return undefined;
    found.set(collapsed(log.slice(from, error.start)), 'FAILED');
    return error.end;
  });
  return found;
};

/**
 * The next line that speaks of an error after a blank: where the blanks before it start, and where
 * its last `Error` ends.
 */
function nextError(log: string, from: number): { start: number; end: number } | undefined {
  for (let at = log.indexOf('Error', from + 1); at >= 0; at = log.indexOf('Error', at + 1)) {
    const start = blankBefore(log, from, at);
    if (start === undefined) continue;
    const lineEnd = log.indexOf('\n', at);
    const last = log.lastIndexOf('Error', lineEnd < 0 ? log.length : lineEnd);
    return { start, end: last + 'Error'.length };
  }
  return undefined;
}

/** Where the blanks start that an `Error` at `at` comes after: those above its line, or in it. */
function blankBefore(log: string, from: number, at: number): number | undefined {
  const lineStart = log.lastIndexOf('\n', at - 1) + 1;
  if (lineStart <= from) {
    const inLine = log.slice(from, at).search(/\s/);
    return inLine < 0 ? undefined : from + inLine;
  }
  return Math.max(from, log.slice(0, lineStart).trimEnd().length);
}

/** Goes on behind what `use` has taken; ends where it finds nothing more. */
function eachAfter(log: string, pattern: RegExp, use: (from: number) => number | undefined): void {
  const search = new RegExp(pattern);
  for (let match = search.exec(log); match !== null; match = search.exec(log)) {
    const next = use(search.lastIndex);
    if (next === undefined) return;
    search.lastIndex = next;
  }
}

/** p5.js: mocha's failures among objects and markup that the tests print. */
export const p5js: LogParser = (log) => {
  const found: Results = new Map();
  const told = withoutMarkup(withoutObjects(withoutColours(log)));
  for (const match of told.matchAll(/^[^\S\n]*\d+\)([^]{0,1000}?):/gm)) {
    const lines = (match[1] ?? '').split('\n');
    let indent = 0;
    const deeper = lines.every((line) => {
      const before = indent;
      indent = line.length - line.trimStart().length;
      return indent > before;
    });
    if (deeper) found.set(lines.map((line) => line.trim()).join(':'), 'FAILED');
  }
  return found;
};

function withoutObjects(log: string): string {
  let inObject = false;
  let inList = false;
  const kept = log.split('\n').filter((line) => {
    const text = line.trimEnd();
    if (text.endsWith('{')) inObject = true;
    else if (text.endsWith('[')) inList = true;
    else if (text === '}' && inObject) inObject = false;
    else if (text === ']' && inList) inList = false;
    else if (!inObject && !inList) {
      const object = text.startsWith('{') && text.endsWith('}');
      return !object && !(text.startsWith('[') && text.endsWith(']'));
    }
    return false;
  });
  return kept.join('\n');
}

/** From `<a>` to the next `</a>`; of tags that were opened twice in between, one stays open. */
function withoutMarkup(log: string): string {
  let text = log;
  const unclosed = new Set<string>();
  const tag = /<(\w+)>/g;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    const [opening, name = ''] = match;
    if (unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, tag.lastIndex);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    const inside = text.slice(tag.lastIndex, end);
    const left = opening.repeat(inside.split(opening).length - 1);
    text = text.slice(0, match.index) + left + text.slice(end + closing.length);
    tag.lastIndex = match.index;
  }
  return text;
}
