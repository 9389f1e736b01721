/** Something the palette can lead to. */
export interface Entry {
  id: string;
  words: string;
  /** Words it is found by besides its own. */
  also?: string;
}

/**
 * Entries in which every word that was typed begins a word, best first: the start of the name, then
 * the start of a word in it, then anything inside. Nothing typed = all, in their order.
 */
export function ranked<E extends Entry>(entries: readonly E[], typed: string): E[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...entries];
  return entries
    .map((entry, order) => ({ entry, order, score: score(entry, words) }))
    .filter(({ score: points }) => points > 0)
    .toSorted((one, other) => other.score - one.score || one.order - other.order)
    .map(({ entry }) => entry);
}

function score({ words, also = '' }: Entry, typed: string[]): number {
  let total = 0;
  for (const word of typed) {
    const points = Math.max(match(words.toLowerCase(), word), match(also.toLowerCase(), word) / 2);
    if (points === 0) return 0;
    total += points;
  }
  return total;
}

function match(text: string, word: string): number {
  if (text.startsWith(word)) return 4;
  const at = text.indexOf(word);
  if (at === -1) return 0;
  return /[\s/._-]/.test(text.charAt(at - 1)) ? 3 : 1;
}
