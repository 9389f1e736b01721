import { describe, expect, it } from 'vitest';
import { readText } from '../text/detect.ts';
import { editText } from './edit-text.ts';

/** Small, seeded: the same cases every time (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const WORDS = ['a', 'bb', 'x = 1', '  ', '\t', 'é', '日本', '😀', '$&', '', 'end'];

function randomText(pick: (below: number) => number, ends: string[]): string {
  let text = '';
  for (let line = pick(8) + 1; line > 0; line--) {
    for (let word = pick(3); word >= 0; word--) text += WORDS[pick(WORDS.length)] ?? '';
    text += line > 1 || pick(2) === 0 ? (ends[pick(ends.length)] ?? '') : '';
  }
  return text;
}

const asLf = (text: string): string => text.replaceAll('\r\n', '\n');

/** Edits a random piece of a random text; `undefined` when there is nothing to edit. */
function randomEdit(seed: number, ends: string[], encode: (text: string) => Buffer) {
  const pick = random(seed);
  const file = randomText(pick, ends);
  const lf = asLf(file);
  const chars = Array.from(lf);
  const from = pick(chars.length);
  const old = chars.slice(from, from + 1 + pick(chars.length)).join('');
  const wanted = asLf(randomText(pick, ['\n']));
  const bytes = encode(file);
  const text = readText(bytes);
  if (!text || old === '') return undefined;
  const outcome = editText(bytes, text, { old, new: wanted, replaceAll: true, help: false });
  return { file, lf, old, wanted, text, outcome };
}

const ENCODINGS: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 with mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
];

describe('random edits against plain replacement', () => {
  it.each(ENCODINGS)(
    'T04 T06 %s: right text, and every other line end as it was',
    (_name, encode) => {
      let edited = 0;
      for (let seed = 1; seed <= 3_000; seed++) {
        const done = randomEdit(seed, ['\n', '\r\n'], encode);
        if (!done || done.outcome.kind !== 'edited') continue;
        edited++;
        const { file, lf, old, wanted, outcome } = done;
        const after = readText(outcome.bytes)?.text ?? '';
        expect([seed, asLf(after)]).toEqual([seed, lf.split(old).join(wanted)]);
        const first = lf.indexOf(old);
        const before = linesOf(file).slice(0, lf.slice(0, first).split('\n').length - 1);
        expect([seed, linesOf(after).slice(0, before.length)]).toEqual([seed, before]);
      }
      expect(edited).toBeGreaterThan(1_500);
    },
  );

  it.each([['\n'], ['\r\n']])('T06 a file with only %j keeps only that', (end) => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const done = randomEdit(seed, [end], (text) => Buffer.from(text));
      if (!done || done.outcome.kind !== 'edited' || !done.file.includes(end)) continue;
      const after = Buffer.from(done.outcome.bytes).toString();
      const plain = done.lf.split(done.old).join(done.wanted);
      expect([seed, after]).toEqual([seed, end === '\n' ? plain : plain.replaceAll('\n', '\r\n')]);
    }
  });
});

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

describe('bytes in, bytes out', () => {
  it('T04 any bytes at all are read so that they round-trip, or not read as text', () => {
    const pick = random(7);
    let read = 0;
    for (let round = 0; round < 3_000; round++) {
      const high = pick(2) === 0;
      const bytes = Buffer.from(
        Array.from({ length: pick(40) }, () => (high ? 0x80 + pick(128) : 1 + pick(255))),
      );
      const text = readText(bytes);
      if (!text) continue;
      read++;
      const again = Buffer.concat([text.bom, text.codec.encode(text.text) ?? Buffer.alloc(0)]);
      expect(again.toString('hex')).toBe(bytes.toString('hex'));
    }
    expect(read).toBeGreaterThan(1_000);
  });
});
