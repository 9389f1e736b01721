const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const LINE_WORDS = 12;

/** Made-up words, a different sequence for each seed: no server has seen them before. */
export interface WordSource {
  /** Lines of 12 words. */
  take(count: number): string;
}

export function createWords(seed: number): WordSource {
  const random = mulberry32(seed);
  const pick = (letters: string): string => letters[Math.floor(random() * letters.length)] ?? 'a';
  const word = (): string =>
    Array.from(
      { length: 2 + Math.floor(random() * 2) },
      () => pick(CONSONANTS) + pick(VOWELS),
    ).join('');
  return {
    take: (count) => {
      const words = Array.from({ length: count }, word);
      const lines: string[] = [];
      for (let at = 0; at < count; at += LINE_WORDS) {
        lines.push(words.slice(at, at + LINE_WORDS).join(' '));
      }
      return lines.join('\n');
    },
  };
}

/** Tommy Ettinger's generator: small, and the same on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
