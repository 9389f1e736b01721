import type { Codec } from './codecs.ts';
import { LATIN1, sequenceLength, tableCodec, UTF8, UTF8_WITH_BAD_BYTES, utf16 } from './codecs.ts';

/** A file as text, with all that is needed to write it back byte for byte. */
export interface TextFile {
  /** Without byte order mark; line ends as they are. */
  text: string;
  codec: Codec;
  /** Byte order mark; empty when there is none. */
  bom: Uint8Array;
  /** The encoding is a guess from the bytes: neither UTF-8, nor marked, nor declared in the file. */
  guessed: boolean;
}

const BOMS: { bytes: number[]; codec: Codec }[] = [
  { bytes: [0xef, 0xbb, 0xbf], codec: UTF8 },
  { bytes: [0xff, 0xfe], codec: utf16('le') },
  { bytes: [0xfe, 0xff], codec: utf16('be') },
];

const NO_BOM = new Uint8Array(0);

/**
 * Reads bytes as text in an encoding in which they are proved to round-trip; `undefined` when they
 * are not text.
 */
export function readText(bytes: Uint8Array): TextFile | undefined {
  const marked = BOMS.find((bom) => bom.bytes.every((byte, at) => bytes[at] === byte));
  if (marked) {
    const bom = bytes.subarray(0, marked.bytes.length);
    const text = proved(marked.codec, bytes.subarray(bom.length));
    if (text !== undefined && !hasNul(text))
      return { text, codec: marked.codec, bom, guessed: false };
  }
  const utf8 = proved(UTF8, bytes);
  if (utf8 !== undefined) {
    const text = !bytes.includes(0) || !looksBinary(bytes);
    return text ? { text: utf8, codec: UTF8, bom: NO_BOM, guessed: false } : undefined;
  }
  if (bytes.includes(0) || looksBinary(bytes)) return undefined;
  return readLegacy(bytes);
}

function readLegacy(bytes: Uint8Array): TextFile | undefined {
  const declared = declaredCodec(bytes);
  const declaredText = declared && proved(declared, bytes);
  if (declared && declaredText !== undefined) {
    return { text: declaredText, codec: declared, bom: NO_BOM, guessed: false };
  }
  for (const codec of guesses(bytes)) {
    const text = proved(codec, bytes);
    if (text !== undefined) return { text, codec, bom: NO_BOM, guessed: true };
  }
  return undefined;
}

/** Most likely first; Latin-1 takes any bytes. */
function guesses(bytes: Uint8Array): Codec[] {
  const { good, bad } = utf8Share(bytes);
  // Double-byte encodings form valid sequences by chance, but few.
  if (good > 0 && good * 4 >= bad) return [UTF8_WITH_BAD_BYTES];
  const codecs: (Codec | undefined)[] = [];
  const shiftJis = share(bytes, isShiftJisText, isShiftJisSingle);
  const gbk = share(bytes, isCommonGbk, () => false);
  if (shiftJis >= 0.5 && shiftJis >= gbk) codecs.push(tableCodec('shift_jis', 'Shift-JIS'));
  if (gbk >= 0.5) codecs.push(tableCodec('gbk', 'GBK'));
  if (bytes.some((byte) => byte >= 0x80 && byte < 0xa0)) {
    codecs.push(tableCodec('windows-1252', 'Windows-1252'));
  }
  return [...codecs.filter((codec) => codec !== undefined), LATIN1];
}

function proved(codec: Codec, bytes: Uint8Array): string | undefined {
  const text = codec.decode(bytes);
  if (text === undefined) return undefined;
  const again = codec.encode(text);
  return again && Buffer.compare(again, bytes) === 0 ? text : undefined;
}

/** PEP 263's line in Python, Ruby, Emacs and Vim files; `charset=` or `encoding=` in HTML and XML. */
function declaredCodec(bytes: Uint8Array): Codec | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const firstLines = head.split('\n', 2).join('\n');
  const match =
    /coding[:=]\s*([-\w.]+)/.exec(firstLines) ??
    /(?:charset|encoding)\s*=\s*["']?([-\w.]+)/i.exec(head);
  const label = match?.[1]?.toLowerCase().replaceAll('_', '-');
  if (label === undefined) return undefined;
  if (/^(latin-?1|l1|iso-?8859-1)$/.test(label)) return LATIN1;
  const known = DECLARED.get(label) ?? label;
  return tableCodec(known, label);
}

/** Python's names where the Encoding Standard has others. */
const DECLARED: ReadonlyMap<string, string> = new Map([
  ['shift-jis', 'shift_jis'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp1250', 'windows-1250'],
  ['cp1251', 'windows-1251'],
  ['cp1252', 'windows-1252'],
]);

/** More than a tenth are control characters that text does not have, NUL among them. */
function looksBinary(bytes: Uint8Array): boolean {
  let odd = 0;
  for (const byte of bytes) {
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) odd++;
  }
  return odd > bytes.length / 10;
}

function hasNul(text: string): boolean {
  return text.includes('\0');
}

function utf8Share(bytes: Uint8Array): { good: number; bad: number } {
  let good = 0;
  let bad = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length > 1) good++;
    else if (length === 0) bad++;
    at += Math.max(1, length);
  }
  return { good, bad };
}

/** Share of the units that are not ASCII and that the encoding's ordinary text would have. */
function share(
  bytes: Uint8Array,
  ordinary: (lead: number, trail: number) => boolean,
  single: (byte: number) => boolean,
): number {
  let all = 0;
  let good = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    all++;
    if (single(lead)) continue;
    at++;
    if (ordinary(lead, bytes[at] ?? 0)) good++;
  }
  return all === 0 ? 0 : good / all;
}

/** Level 1 of GB 2312 (the 3,755 most used characters), and its punctuation. */
function isCommonGbk(lead: number, trail: number): boolean {
  return trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3);
}

/** Kana and level 1 of JIS X 0208, and its punctuation. */
function isShiftJisText(lead: number, trail: number): boolean {
  if (lead === 0x81) return trail >= 0x40 && trail <= 0xac;
  if (lead === 0x82) return trail >= 0x9f && trail <= 0xf1;
  if (lead === 0x83) return trail >= 0x40 && trail <= 0x96;
  return lead >= 0x88 && lead <= 0x97 && trail >= 0x40;
}

/** Half-width katakana. */
function isShiftJisSingle(byte: number): boolean {
  return byte >= 0xa1 && byte <= 0xdf;
}
