import { visible, visibleLine } from './visible.ts';

/** A code span; longer than any run of backticks inside, on one line. Nothing in it is Markdown. */
export function codeSpan(text: string): string {
  const shown = visibleLine(text);
  if (shown.trim() === '') return '(empty)';
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** A code block; its fences are longer than any run of backticks inside. */
export function codeBlock(text: string, language = 'text'): string {
  const shown = visible(text).replace(/\n+$/, '');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A heading with its blocks; nothing where no block has a text. */
export function titled(title: string, blocks: readonly string[]): string[] {
  const full = blocks.filter((block) => block !== '');
  return full.length === 0 ? [] : [`## ${title}`, ...full];
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
