/**
 * The candidate that `word` was most likely meant to be, or `null` when none is near: at most a
 * third of the letters differ (a swap of neighbours counts as one), or it begins one or is a part of
 * one only.
 */
export function closest(word: string, candidates: Iterable<string>): string | null {
  const wanted = plain(word);
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let least = most + 1;
  const holders: string[] = [];
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), least);
    if (distance < least) [best, least] = [candidate, distance];
    if (wanted.length > 3 && plain(candidate).includes(wanted)) holders.push(candidate);
  }
  const begun = holders.filter((holder) => plain(holder).startsWith(wanted));
  return best ?? only(begun) ?? only(holders);
}

/** ` (did you mean X?)`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = closest(word, candidates);
  return near === null ? '' : ` (did you mean ${near}?)`;
}

function only(words: readonly string[]): string | null {
  return words.length === 1 ? (words[0] ?? null) : null;
}

/** Case and separators are what people get wrong most; they cost nothing. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** Optimal string alignment; `limit` or more is not told apart. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (above[column - 1] ?? limit) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? limit) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? limit;
}
