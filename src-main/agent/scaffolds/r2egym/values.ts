/**
 * A text value as it was meant: the line break behind the opening tag and the one before the closing
 * tag belong to the markup, everything else to the value. The original strips all blanks, which
 * loses the indent of the first line and the final line break.
 */
export function unwrapped(value: string): string {
  return value.replace(/^[ \t]*\r?\n/, '').replace(/\r?\n[ \t]*$/, '');
}

/** The text of a whole file: as {@link unwrapped}, but its last line keeps its line break. */
export function wholeFile(value: string): string {
  const text = value.replace(/^[ \t]*\r?\n/, '');
  return text.replace(/(\r?\n)[ \t]*$/, '$1');
}

/**
 * The two texts of a replacement. A model that was trained where values are stripped writes the
 * first line of its new text without indent and means the old one's: the original would keep what
 * stands in the file, and so does this. It is told by the other lines, which are indented as far as
 * those of the old text; where there are none, the indent of the file is kept as well.
 */
export function replacementOf(oldValue: string, newValue: string): { old: string; new: string } {
  const old = unwrapped(oldValue);
  const wanted = unwrapped(newValue);
  const indent = indentOf(old);
  const isMeant =
    wanted.trim() !== '' &&
    indentOf(wanted) === '' &&
    restIndent(wanted, Number.POSITIVE_INFINITY) >= restIndent(old, indent.length);
  return { old, new: isMeant ? indent + wanted : wanted };
}

/** Least indent of the lines behind the first, blank ones aside. */
function restIndent(text: string, without: number): number {
  const rest = text.split('\n').slice(1);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => indentOf(line).length);
  return indents.length === 0 ? without : Math.min(...indents);
}

/** Blanks at the start of a line. */
function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}
