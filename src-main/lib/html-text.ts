import { visible } from './visible.ts';

/** Text that is HTML already. Made by {@link html} only, so that nothing is escaped twice or never. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[];

/** How the source is laid out is nothing a reader has to carry; each literal is folded once. */
const folded = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * HTML from a literal: what is put in is escaped, hidden characters made visible, unless it is Html.
 * Attributes stand between quotes in the literal, so that nothing put in can end them.
 */
export function html(literal: TemplateStringsArray, ...values: readonly Value[]): Html {
  let texts = folded.get(literal);
  if (texts === undefined) {
    texts = literal.map((text) => text.replace(/\n\s+/g, '\n'));
    folded.set(literal, texts);
  }
  return { html: texts.map((text, at) => text + textOf(values[at])).join('') };
}

function textOf(value: Value | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(visible(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');
}
