import type { TextFile } from '../text/detect.ts';
import { lineNumberAt } from '../text/lines.ts';
import { spliceBytes } from '../text/splice.ts';
import type { EditTexts, Reading } from './candidates.ts';
import { exactReading, HELPFUL_READINGS, MAX_MATCHES } from './candidates.ts';
import { alreadyApplied, nearestLines } from './nearest.ts';
import { planSplices } from './plan.ts';

export interface EditRequest {
  old: string;
  new: string;
  replaceAll: boolean;
  /** Off: only what Leaf itself would have matched. */
  help: boolean;
}

/** `message` is Leaf's own text; `help` is what we add to it. */
export type EditOutcome =
  | {
      kind: 'edited';
      bytes: Uint8Array;
      count: number;
      help: string[];
      /** Where in the text, read with LF line ends, the first match begins. */
      at: number;
    }
  | { kind: 'unchanged'; count: number }
  | { kind: 'refused'; reason: Refusal; message: string; help: string[] };

export type Refusal = 'not_found' | 'ambiguous' | 'too_much' | 'not_writable';

const MAX_NUMBERS = 20;

/** Edits the text of a file; pure, and exact in every byte it does not mean to change. */
export function editText(bytes: Uint8Array, file: TextFile, request: EditRequest): EditOutcome {
  const texts: EditTexts = {
    file: file.text,
    old: withLf(file.bom.length > 0 ? request.old.replace(/^\ufeff/, '') : request.old),
    new: withLf(file.bom.length > 0 ? request.new.replace(/^\ufeff/, '') : request.new),
  };
  // Half a character is not text; it could only match half of one.
  if (!texts.old.isWellFormed()) return notFound(texts, request.help);
  const exact = exactReading(texts);
  if (exact.count > 1 && !request.replaceAll) return ambiguous(file.text, exact);
  const reading = exact.matches.length > 0 ? exact : request.help ? helpful(texts) : undefined;
  if (!reading) return notFound(texts, request.help);
  return apply(bytes, file, reading, request);
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function helpful(texts: EditTexts): Reading | undefined {
  for (const read of HELPFUL_READINGS) {
    const reading = read(texts);
    // Two places are as good as none: a later reading is no better at telling them apart.
    if (reading && reading.matches.length > 0)
      return reading.matches.length === 1 ? reading : undefined;
  }
  return undefined;
}

function apply(
  bytes: Uint8Array,
  file: TextFile,
  reading: Reading,
  request: EditRequest,
): EditOutcome {
  const { count } = reading;
  const growth = count * Math.max(0, reading.new.length - reading.old.length);
  if (count > MAX_MATCHES || growth > MAX_GROWTH) return tooMuch(count);
  const splices = planSplices(file.text, reading);
  const result = spliceBytes(bytes, file, splices);
  if (!result.ok) return notWritable(file, result.characters);
  if (Buffer.compare(result.bytes, bytes) === 0) return { kind: 'unchanged', count };
  const help: string[] = [];
  if (reading.note !== null) help.push(`Matched with help: ${reading.note}.`);
  if (request.old.includes('\r\n') && !file.text.includes('\r\n')) {
    help.push('Matched with help: the file has LF line ends, so CRLF was read as LF.');
  }
  if (file.guessed && /[^\0-\x7f]/.test(splices.map((splice) => splice.text).join(''))) {
    help.push(
      `The new text was written as ${file.codec.name}, which is a guess from the file's bytes.`,
    );
  }
  const first = reading.matches[0]?.start ?? 0;
  const at = file.text.slice(0, first).replaceAll('\r\n', '\n').length;
  return { kind: 'edited', bytes: result.bytes, count, help, at };
}

/** Characters an edit may add; more would be one long line of a model after the other. */
const MAX_GROWTH = 8_000_000;

function tooMuch(count: number): EditOutcome {
  return {
    kind: 'refused',
    reason: 'too_much',
    message: `replacing ${count} matches would change too much at once`,
    help: ['Nothing was changed. Use Bash, e.g. sed -i or python3.'],
  };
}

function ambiguous(file: string, reading: Reading): EditOutcome {
  const { count } = reading;
  const numbers = reading.matches
    .slice(0, MAX_NUMBERS)
    .map((match) => lineNumberAt(file, match.start));
  const more = count > MAX_NUMBERS ? ` and ${count - MAX_NUMBERS} more` : '';
  return {
    kind: 'refused',
    reason: 'ambiguous',
    message: `old_string matched ${count} times; set replace_all=true or use a more specific old_string`,
    help: [`The matches start in lines ${numbers.join(', ')}${more}.`],
  };
}

function notFound(texts: EditTexts, help: boolean): EditOutcome {
  const message = 'old_string was not found';
  if (!help) return { kind: 'refused', reason: 'not_found', message, help: [] };
  const lines: string[] = [];
  const applied = alreadyApplied(texts.file, texts.new);
  if (applied !== null) {
    lines.push(
      `new_string is already in the file, at line ${applied}: the edit may have been made before.`,
    );
  }
  lines.push(
    nearestLines(texts.file, texts.old) ?? 'No line of the file is like it. Read the file again.',
  );
  return { kind: 'refused', reason: 'not_found', message, help: lines };
}

function notWritable(file: TextFile, characters: string[]): EditOutcome {
  const list = characters.map((char) => JSON.stringify(char)).join(', ');
  return {
    kind: 'refused',
    reason: 'not_writable',
    message: `new_string has characters that the file's encoding, ${file.codec.name}, cannot hold: ${list}`,
    help: [
      'Nothing was changed. Use other characters or escapes, or convert the file first (iconv).',
    ],
  };
}
