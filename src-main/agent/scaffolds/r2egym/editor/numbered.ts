/** Longest text of an answer, and what stands behind one that was cut. */
const MOST_CHARACTERS = 10_000;
const CLIPPED =
  '<response clipped><NOTE>To save on context only part of this file has been shown to you. You should retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of what you are looking for.</NOTE>';

export function clipped(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return text.slice(0, MOST_CHARACTERS).toWellFormed() + CLIPPED;
}

/** As `view` numbers lines: six columns and a blank. Positions count from 0. */
export function viewLine(at: number, text: string): string {
  return `${String(at + 1).padStart(6)} ${text}`;
}

/** As edits show their surroundings: six columns and a tab, tabs of the text as blanks. */
export function numbered(text: string, of: string, firstLine = 1): string {
  const lines = expandTabs(clipped(text)).split('\n');
  const shown = lines.map((line, at) => `${String(at + firstLine).padStart(6)}\t${line}`);
  return `Here's the result of running \`cat -n\` on ${of}:\n${shown.join('\n')}\n`;
}

/** As Python's `expandtabs`: every eighth column of a line. */
function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let column = 0;
  let expanded = '';
  for (const character of text) {
    if (character === '\t') {
      const width = 8 - (column % 8);
      expanded += ' '.repeat(width);
      column += width;
    } else {
      expanded += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return expanded;
}
