import { integerArgument, pathArgument } from '../arguments.ts';
import type { ToolContext, ToolOutcome } from '../outcome.ts';
import { success, valueError } from '../outcome.ts';
import { displayPath, MAX_FILE_BYTES, readFile } from '../places.ts';
import { clip, countCharacters } from '../../text/clip.ts';
import { readText } from '../../text/detect.ts';
import { splitLines } from '../../text/lines.ts';

/** Leaf's `LEAF_TOOL_OUTPUT_CHARS`. */
const LIMIT = 20_000;
/** A line longer than this is worth a word when it is cut. */
const LONG_LINE = 2_000;

/** First line the path, then `N. text`. */
export async function read(
  args: Readonly<Record<string, unknown>>,
  { workspace }: ToolContext,
): Promise<ToolOutcome> {
  const given = pathArgument(args);
  const offset = Math.max(1, integerArgument(args, 'offset', 1));
  const limit = integerArgument(args, 'limit', 0);
  const file = await readFile(workspace, given);
  const shown = displayPath(workspace, given, file.realPath);
  const partial = file.totalBytes > file.bytes.length;
  const text = readText(partial ? wholeLines(file.bytes) : file.bytes);
  if (!text) throw binary(shown, file.bytes, file.totalBytes);
  const lines = splitLines(text.text.toWellFormed().replaceAll('\0', '\ufffd'));
  const end = limit <= 0 ? lines.length : Math.min(lines.length, offset - 1 + limit);
  const { head, dropped } = numbered(shown, lines, { offset, end });
  const help = partial
    ? [
        `Only the first ${MAX_FILE_BYTES} of ${file.totalBytes} bytes were read; use Bash (sed -n, grep) for the rest.`,
      ]
    : [];
  if (lines.length === 0) help.push('The file is empty.');
  else if (offset > lines.length) {
    help.push(
      `The file has ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}; offset ${offset} is past its end.`,
    );
  }
  if (dropped === 0) return success(head, { help });
  const shownLines = head.split('\n');
  const last = offset + shownLines.length - 2;
  const cutAt = countCharacters(shownLines.at(-1) ?? '') - `${last}. `.length;
  help.push(...howToGoOn(shown, { offset, last, lines, cutAt: Math.max(0, cutAt) }));
  return success(`${head}\n[truncated ${dropped} chars]`, { help });
}

/** Path and numbered lines up to the limit; of lines far beyond it, only the length is taken. */
function numbered(
  path: string,
  lines: readonly string[],
  { offset, end }: { offset: number; end: number },
): { head: string; dropped: number } {
  const start = offset - 1;
  const shown: string[] = [];
  let length = 0;
  let at = start;
  // Two units are the most a character takes.
  for (; at < end && length <= 2 * LIMIT; at++) {
    const line = `${at + 1}. ${lines[at] ?? ''}`;
    length += line.length + 1;
    shown.push(line);
  }
  let beyond = 0;
  for (; at < end; at++) {
    beyond += String(at + 1).length + 3 + countCharacters(lines[at] ?? '');
  }
  const { head, dropped } = clip(`${path}\n${shown.join('\n')}`, LIMIT);
  return { head, dropped: dropped + beyond };
}

/** `cutAt`: characters of the last line that are shown. */
function howToGoOn(
  path: string,
  {
    offset,
    last,
    lines,
    cutAt,
  }: { offset: number; last: number; lines: readonly string[]; cutAt: number },
): string[] {
  const long = (lines[last - 1] ?? '').length;
  const help: string[] = [];
  const next = long > LONG_LINE && last < lines.length ? last + 1 : last;
  if (long > LONG_LINE) {
    help.push(
      `Line ${last} is ${long} characters long; see more of it with Bash: sed -n ${last}p ${quoted(path)} | cut -c ${cutAt + 1}-${cutAt + LIMIT}`,
    );
  }
  if (last > offset || next > last) {
    help.push(
      `Shown are lines ${offset} to ${last} of ${lines.length}, the last one in part; go on with offset ${next}.`,
    );
  }
  return help;
}

/** For a POSIX shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Cuts behind the last line break, so that no character is cut in two. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const last = bytes.lastIndexOf(0x0a);
  if (last !== -1) return bytes.subarray(0, last + 1);
  let end = bytes.length;
  while (end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end - ((bytes[end - 1] ?? 0) >= 0xc0 ? 1 : 0));
}

const KINDS: { start: number[]; name: string }[] = [
  { start: [0x7f, 0x45, 0x4c, 0x46], name: 'an ELF program or library' },
  { start: [0x89, 0x50, 0x4e, 0x47], name: 'a PNG image' },
  { start: [0xff, 0xd8, 0xff], name: 'a JPEG image' },
  { start: [0x47, 0x49, 0x46, 0x38], name: 'a GIF image' },
  { start: [0x50, 0x4b, 0x03, 0x04], name: 'a ZIP archive' },
  { start: [0x1f, 0x8b], name: 'a gzip archive' },
  { start: [0x25, 0x50, 0x44, 0x46], name: 'a PDF document' },
  { start: [0x53, 0x51, 0x4c, 0x69], name: 'an SQLite database' },
];

function binary(path: string, bytes: Uint8Array, totalBytes: number): Error {
  const kind = KINDS.find(({ start }) => start.every((byte, at) => bytes[at] === byte));
  const what = kind ? ` (${kind.name})` : '';
  return valueError(`${path} is a binary file${what} of ${totalBytes} bytes, not text`, [
    'Look at it with Bash, e.g. file, xxd or python3.',
  ]);
}
