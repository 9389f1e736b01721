/**
 * Text in which words are looked for, whatever their case: SQLite's own LIKE knows the case of ASCII
 * only.
 */
export function searchTextOf(parts: readonly string[]): string {
  return parts.join('\n').normalize('NFC').toLowerCase();
}

/** Patterns for LIKE with `ESCAPE '\\'`, one for each word; what is a sign to LIKE stands for itself. */
export function searchPatterns(text: string): string[] {
  const words = searchTextOf([text]).split(/\s+/);
  return words
    .filter((word) => word !== '')
    .map((word) => `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
}
