/**
 * Characters that show nothing, change how their neighbours show, or drive a terminal. Tab and line
 * feed are not among them. Based on Unicode's Default_Ignorable_Code_Point and Bidi_Control, control
 * characters, line and paragraph separators, interlinear marks, and code points that are no
 * characters.
 */
export const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- code points are meant
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** An emoji with its presentation selector or joiner is what people type, not a disguise. */
export const EMOJI =
  /(?:[#*0-9]\ufe0f\u20e3)|(?:\p{Extended_Pictographic}\p{EMod}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{EMod}?\ufe0f?)*)/gu;

/** Names of the better known ones, by code point. */
export const HIDDEN_NAMES: Readonly<Record<number, string>> = {
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
