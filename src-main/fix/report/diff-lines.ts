import { visible } from '../../lib/index.ts';
import type { PatchHunk, PatchPart } from '../../patch/index.ts';

/** A line of a hunk as a report shows it. */
export interface DiffLine {
  sign: '+' | '-' | ' ' | '\\';
  /** `null` where the line is not in that file. */
  oldLine: number | null;
  newLine: number | null;
  /** Hidden characters are made visible; long lines are cut, and say so. */
  text: string;
}

/** A line longer than this says nothing to a reader; the patch itself is never cut. */
const LINE_BYTES = 2000;
const FEED = 10;
const RETURN = 13;

/** The lines of a hunk behind its `@@` line. */
export function diffLines(hunk: PatchHunk): DiffLine[] {
  const bytes = Buffer.from(hunk.bytes.buffer, hunk.bytes.byteOffset, hunk.bytes.byteLength);
  const lines: DiffLine[] = [];
  let { oldStart: oldLine, newStart: newLine } = hunk;
  let start = bytes.indexOf(FEED) + 1;
  while (start > 0 && start < bytes.length) {
    const feed = bytes.indexOf(FEED, start);
    const end = feed === -1 ? bytes.length : feed;
    const sign = signOf(bytes[start]);
    lines.push({
      sign,
      oldLine: sign === '-' || sign === ' ' ? oldLine : null,
      newLine: sign === '+' || sign === ' ' ? newLine : null,
      text: shownLine(bytes.subarray(start + 1, end)),
    });
    if (sign === '-' || sign === ' ') oldLine += 1;
    if (sign === '+' || sign === ' ') newLine += 1;
    start = end + 1;
  }
  return lines;
}

/** Text of a line of the new file that the patch shows; `null` when it does not. */
export function newLineText(part: PatchPart, line: number): string | null {
  const hunk = part.hunks.findLast(({ newStart }) => newStart <= line);
  if (hunk === undefined) return null;
  return diffLines(hunk).find(({ newLine }) => newLine === line)?.text ?? null;
}

function signOf(byte: number | undefined): DiffLine['sign'] {
  if (byte === 43) return '+';
  if (byte === 45) return '-';
  return byte === 92 ? '\\' : ' ';
}

function shownLine(bytes: Buffer): string {
  // The carriage return of a CRLF line end is no hidden character.
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
  if (end <= LINE_BYTES) return visible(bytes.subarray(0, end));
  const more = end - LINE_BYTES;
  return `${visible(bytes.subarray(0, LINE_BYTES))} … (${more} more bytes)`;
}
