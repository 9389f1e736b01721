import { randomOf } from '../../lib/index.ts';

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const LINE_WORDS = 12;

/** Made-up words, a different sequence for each seed: no server has seen them before. */
export interface WordSource {
  /** Lines of 12 words. */
  take(count: number): string;
}

export function createWords(seed: number): WordSource {
  const random = randomOf(seed);
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
