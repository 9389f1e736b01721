import { EMOJI, HIDDEN, HIDDEN_NAMES } from '../contract/hidden-characters.ts';

/**
 * Text that is safe to show: every hidden, bidirectional, zero-width and control character but tab
 * and line feed becomes an escape such as `\x1b` or `\u{202e}`; joiners inside emoji stay. Bytes are read as UTF-8; what is not
 * UTF-8 becomes `\xNN`. The one function every terminal, log and page passes foreign text through.
 */
export function visible(text: string | Uint8Array): string {
  const readable = typeof text === 'string' ? text : decoded(text);
  // Emoji sequences are split off, since their joiners are part of one visible sign.
  const parts: string[] = [];
  let at = 0;
  for (const emoji of readable.matchAll(EMOJI)) {
    parts.push(readable.slice(at, emoji.index).replace(HIDDEN, escapeOf), emoji[0]);
    at = emoji.index + emoji[0].length;
  }
  parts.push(readable.slice(at).replace(HIDDEN, escapeOf));
  return parts.join('');
}

/** As {@link visible}, on one line: tabs and line ends are escaped, too. */
export function visibleLine(text: string | Uint8Array): string {
  return visible(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/**
 * The hidden characters of a text, each once, as `U+202E right-to-left override`. Emoji sequences
 * count as visible; a byte order mark at the very start does when `atStart` is set.
 */
export function hiddenCharacters(text: string, options: { atStart?: boolean } = {}): string[] {
  const bare = text.replace(EMOJI, '');
  const searched = options.atStart === true && bare.startsWith('\ufeff') ? bare.slice(1) : bare;
  const found = new Set([...searched.matchAll(HIDDEN)].map(([character]) => character));
  return [...found].map(nameOf);
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HIDDEN_NAMES[code] ?? (code < 0xa0 ? 'control character' : 'invisible character');
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} ${name}`;
}

function escapeOf(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodedLeniently(bytes);
  }
}

/** Line by line first, so that one bad line does not make the whole text slow. */
function decodedLeniently(bytes: Uint8Array): string {
  const parts: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const feed = bytes.indexOf(10, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    try {
      parts.push(strict.decode(line));
    } catch {
      parts.push(decodedByCharacter(line));
    }
    start = end;
  }
  return parts.join('');
}

function decodedByCharacter(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes[at] ?? 0);
    try {
      text += strict.decode(bytes.subarray(at, at + length));
      at += length;
    } catch {
      text += `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
      at += 1;
    }
  }
  return text;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
