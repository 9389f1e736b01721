/** The trained environment strips every value; names, paths, numbers and commands are read so, too. */
export function stripped(value: string): string {
  return value.trim();
}

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
 * stands in the file, and so does this. It is told by the other lines, all indented at least as far;
 * where there are none, the indent of the file is kept as well.
 */
export function replacementOf(oldValue: string, newValue: string): { old: string; new: string } {
  const old = unwrapped(oldValue);
  const wanted = unwrapped(newValue);
  const indent = indentOf(old);
  const [first = '', ...others] = wanted.split('\n');
  const rest = others.filter((line) => line.trim() !== '');
  const isMeant =
    wanted.trim() !== '' &&
    indentOf(first) === '' &&
    rest.every((line) => indentOf(line).length >= indent.length);
  return { old, new: isMeant ? indent + wanted : wanted };
}

/** Blanks at the start of a line. */
function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}
