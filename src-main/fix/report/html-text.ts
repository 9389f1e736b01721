import { visible } from '../../lib/index.ts';

/** Text that is HTML already. Made by {@link html} only, so that nothing is escaped twice or never. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[];

/** HTML from a literal: what is put in is escaped, hidden characters made visible, unless it is Html. */
export function html(literal: TemplateStringsArray, ...values: readonly Value[]): Html {
  // How the source is laid out is nothing a reader has to carry.
  const parts = literal.map((text, at) => `${text.replace(/\n\s+/g, '\n')}${textOf(values[at])}`);
  return { html: parts.join('') };
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
