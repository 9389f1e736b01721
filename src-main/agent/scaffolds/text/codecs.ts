import { TextDecoder } from 'node:util';

/**
 * A way to write text as bytes and back. `decode` is only ever trusted together with `encode`:
 * a file counts as text in a codec when encode(decode(bytes)) gives the same bytes.
 */
export interface Codec {
  /** As people know it, e.g. `UTF-8`, `Latin-1`, `Shift-JIS`. */
  name: string;
  /** `undefined` when the bytes are not text of this kind. */
  decode(bytes: Uint8Array): string | undefined;
  /** `undefined` when the text has characters this codec can't write. */
  encode(text: string): Uint8Array | undefined;
}

export const UTF8: Codec = {
  name: 'UTF-8',
  decode: (bytes) => decodeFatal('utf-8', bytes),
  encode: (text) => (text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined),
};

/** First of the 128 lone surrogates that stand for a byte 0x80 to 0xFF (as in Python's PEP 383). */
const ESCAPE_BASE = 0xdc00;

/** UTF-8 with some bytes that are not: each such byte becomes a lone surrogate, and back. */
export const UTF8_WITH_BAD_BYTES: Codec = {
  name: 'UTF-8 with invalid bytes',
  decode(bytes) {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = '';
    let good = 0;
    for (let at = 0; at < source.length;) {
      const length = sequenceLength(source, at);
      if (length > 0) at += length;
      else {
        text +=
          source.toString('utf8', good, at) + String.fromCharCode(ESCAPE_BASE + (source[at] ?? 0));
        at++;
        good = at;
      }
    }
    return text + source.toString('utf8', good);
  },
  encode(text) {
    const parts = text.split(/([\udc80-\udcff])/u);
    if (!parts.every((part, index) => index % 2 === 1 || part.isWellFormed())) return undefined;
    return Buffer.concat(
      parts.map((part, index) =>
        index % 2 === 1 ? Buffer.of(part.charCodeAt(0) - ESCAPE_BASE) : Buffer.from(part, 'utf8'),
      ),
    );
  },
};

export function utf16(order: 'le' | 'be'): Codec {
  return {
    name: `UTF-16${order.toUpperCase()}`,
    decode: (bytes) => decodeFatal(`utf-16${order}`, bytes),
    encode(text) {
      if (!text.isWellFormed()) return undefined;
      const bytes = Buffer.from(text, 'utf16le');
      return order === 'le' ? bytes : bytes.swap16();
    },
  };
}

export const LATIN1: Codec = {
  name: 'Latin-1',
  decode: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  encode(text) {
    const bytes = Buffer.from(text, 'latin1');
    return bytes.toString('latin1') === text ? bytes : undefined;
  },
};

const tables = new Map<string, Map<string, number> | undefined>();

/**
 * A codec of the Encoding Standard with one or two bytes a character, e.g. `gbk`, `shift_jis`,
 * `windows-1252`; `undefined` for labels that this Node doesn't know.
 */
export function tableCodec(label: string, name: string): Codec | undefined {
  if (!tables.has(label)) tables.set(label, reverseTable(label));
  const table = tables.get(label);
  if (!table) return undefined;
  return {
    name,
    decode: (bytes) => decodeFatal(label, bytes),
    encode(text) {
      const bytes: number[] = [];
      for (const char of text) {
        const code = table.get(char);
        if (code === undefined) return undefined;
        if (code > 0xff) bytes.push(code >> 8);
        bytes.push(code & 0xff);
      }
      return Uint8Array.from(bytes);
    },
  };
}

/** Node decodes these encodings but does not encode them: the table comes from decoding all pairs. */
function reverseTable(label: string): Map<string, number> | undefined {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    return undefined;
  }
  const table = new Map<string, number>();
  const add = (code: number, bytes: number[]): void => {
    const char = decodeWith(decoder, Uint8Array.from(bytes));
    if (char !== undefined && isOneCharacter(char) && !table.has(char)) table.set(char, code);
  };
  for (let byte = 0; byte <= 0xff; byte++) add(byte, [byte]);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    if (table.get(decodeWith(decoder, Uint8Array.of(lead)) ?? '') === lead) continue;
    for (let trail = 0x40; trail <= 0xfe; trail++) add((lead << 8) | trail, [lead, trail]);
  }
  return table;
}

function isOneCharacter(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}

/** `ignoreBOM` keeps a byte order mark as a character: it is taken off by the caller, by bytes. */
function decodeFatal(label: string, bytes: Uint8Array): string | undefined {
  return decodeWith(new TextDecoder(label, { fatal: true, ignoreBOM: true }), bytes);
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Length of the valid UTF-8 sequence at `at`, 0 when there is none. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
