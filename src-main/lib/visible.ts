/**
 * Characters that show nothing, change how their neighbours show, or drive a terminal. Tab and line
 * feed are not among them. Based on Unicode's Default_Ignorable_Code_Point and Bidi_Control, control
 * characters, line and paragraph separators, interlinear marks, and code points that are no
 * characters.
 */
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- code points are meant
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** An emoji with its presentation selector or joiner is what people type, not a disguise. */
const EMOJI =
  /(?:[#*0-9]\ufe0f\u20e3)|(?:\p{Extended_Pictographic}\p{EMod}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{EMod}?\ufe0f?)*)/gu;

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'bell',
  0x08: 'backspace',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0x85: 'next line',
  0x9b: 'control sequence introducer',
  0xad: 'soft hyphen',
  0x061c: 'Arabic letter mark',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0x3164: 'Hangul filler',
  0xfeff: 'zero width no-break space',
};

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
  const name = NAMES[code] ?? (code < 0xa0 ? 'control character' : 'invisible character');
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
