import { EMOJI, HIDDEN, HIDDEN_NAMES } from '../src-main/contract/index.ts';

/** A piece of foreign text: as it is, or one character that would not show. */
export type VisiblePart =
  | { kind: 'plain'; text: string }
  /** `escape` is shown in its place; `name` says what it is: `U+202E right-to-left override`. */
  | { kind: 'hidden'; escape: string; name: string };

/** Foreign text in pieces, so that nothing in it hides or reorders its neighbours. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let at = 0;
  for (const emoji of text.matchAll(EMOJI)) {
    pushPlain(parts, text.slice(at, emoji.index));
    pushText(parts, emoji[0]);
    at = emoji.index + emoji[0].length;
  }
  pushPlain(parts, text.slice(at));
  return parts;
}

/** The same as one string: for titles, labels and clipboards of what is only shown. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.kind === 'plain' ? part.text : part.escape))
    .join('');
}

/** As {@link visibleText}, on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** The last part of a path: the name of a repository or a file. */
export function lastName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

/**
 * Output of a terminal without its colours and movements; a carriage return that overwrote a line
 * becomes a line of its own, so that nothing printed is lost.
 */
export function withoutTerminalCodes(text: string): string {
  return text.replace(TERMINAL_CODES, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** Strings (titles, links) up to their end, control sequences, and two-character escapes. */
const TERMINAL_CODES =
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  /(?:\u001b[\]P^_]|[\u0090\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]+[0-~]|\u001b[0-Z\\^-~]/g;

function pushPlain(parts: VisiblePart[], text: string): void {
  let at = 0;
  for (const hidden of text.matchAll(HIDDEN)) {
    pushText(parts, text.slice(at, hidden.index));
    parts.push(hiddenPart(hidden[0]));
    at = hidden.index + hidden[0].length;
  }
  pushText(parts, text.slice(at));
}

function pushText(parts: VisiblePart[], text: string): void {
  if (text === '') return;
  const last = parts.at(-1);
  if (last?.kind === 'plain') last.text += text;
  else parts.push({ kind: 'plain', text });
}

function hiddenPart(character: string): VisiblePart {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const escape =
    character === '\r' ? '\\r' : code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
  const known = HIDDEN_NAMES[code] ?? (code < 0xa0 ? 'control character' : 'invisible character');
  return { kind: 'hidden', escape, name: `U+${hex.toUpperCase().padStart(4, '0')} ${known}` };
}
