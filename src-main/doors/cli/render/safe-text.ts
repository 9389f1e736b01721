import { visible, visibleLine } from '../../../lib/index.ts';

const TAB = '    ';

/**
 * Text of a model, a repository or a tool, for one line of a terminal: white space is folded, and
 * nothing in it can act on the terminal or reorder the line.
 */
export function oneLine(text: string): string {
  return visible(text.replace(/[ \t\n\v\f\r]+/g, ' ').trim());
}

/** A path on one line: nothing in it is folded, so that it can be told from its neighbours. */
export function pathText(path: string): string {
  return visibleLine(path);
}

/** As `oneLine`, for text of several lines; tabs become blanks. */
export function safeLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => visible(line.replaceAll('\t', TAB)));
}

/** Characters that JSON leaves alone, but that a terminal may act on or not show. */
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** One JSON value on one line, ending with a line break: the same value, nothing that can act. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value).replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}
