/**
 * Key combinations as text: `mod+k`, `shift+?`, `g s` (one after the other), `f`. `mod` is Ctrl, or
 * Cmd on Apple's keyboards. A shifted sign is written as the sign itself: `?`, not `shift+/`.
 */

const ORDER = ['mod', 'ctrl', 'alt', 'shift'] as const;

const LABELS: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  escape: 'Esc',
  enter: 'Enter',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  space: 'Space',
  backspace: 'Backspace',
  delete: 'Del',
  pageup: 'Page Up',
  pagedown: 'Page Down',
};

const APPLE_LABELS: Readonly<Record<string, string>> = {
  ...LABELS,
  mod: '⌘',
  ctrl: '⌃',
  alt: '⌥',
  shift: '⇧',
  enter: '↩',
};

export interface PressedKeys {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Whether this machine's keyboard has a Cmd key. */
export function isApple(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** The combination of a pressed key; `null` for a modifier alone. */
export function pressedCombination(event: PressedKeys, apple: boolean): string | null {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  if (['control', 'shift', 'alt', 'meta', 'altgraph', 'dead'].includes(key)) return null;
  const mod = apple ? event.metaKey : event.ctrlKey;
  const parts: string[] = [];
  if (mod) parts.push('mod');
  if (apple && event.ctrlKey) parts.push('ctrl');
  if (event.altKey) parts.push('alt');
  if (event.shiftKey && !isShiftedSign(event.key)) parts.push('shift');
  return [...parts, key].join('+');
}

/** Normal form of a combination that a person or a table wrote; `null` when it is none. */
export function parseKeys(text: string): string | null {
  const chords = text.trim().toLowerCase().split(/\s+/);
  const normal = chords.map(parseChord);
  if (chords.length > 2 || normal.includes(null)) return null;
  return normal.join(' ');
}

/** What stands on the keys, in the order in which they are pressed. */
export function keyLabels(keys: string, apple: boolean): string[] {
  const labels = apple ? APPLE_LABELS : LABELS;
  return keys
    .split(' ')
    .flatMap((chord) => splitChord(chord))
    .map((part) => labels[part] ?? (part.length === 1 ? part.toUpperCase() : capital(part)));
}

function parseChord(chord: string): string | null {
  const parts = splitChord(chord);
  const key = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1);
  if (key === '' || (ORDER as readonly string[]).includes(key)) return null;
  if (modifiers.some((modifier) => !(ORDER as readonly string[]).includes(modifier))) return null;
  return [...ORDER.filter((modifier) => modifiers.includes(modifier)), key].join('+');
}

/** `mod++` holds the plus key itself. */
function splitChord(chord: string): string[] {
  if (chord === '+') return ['+'];
  return chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord.split('+');
}

/** A sign that needs Shift on some keyboards and not on others: Shift says nothing then. */
function isShiftedSign(key: string): boolean {
  return key.length === 1 && !/[\p{L}\s]/u.test(key);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
