import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import { createTextDecoder } from './text-decoder.ts';

/** One token per byte, as byte-level vocabularies do with rare characters. */
const bytes = {
  detokenize: (tokens: readonly Token[]): string => Buffer.from(tokens).toString('utf8'),
};

describe('text of tokens', () => {
  it('waits for the rest of a character', () => {
    const decoder = createTextDecoder(bytes, []);
    const pieces = [...Buffer.from('aé€😀')].map((byte) => decoder.push(byte as Token));
    expect(pieces).toEqual(['a', '', 'é', '', '', '€', '', '', '', '😀']);
    expect(decoder.end()).toBe('');
  });

  it('shows half a character at the end, and does not wait for ever for bytes that are none', () => {
    const decoder = createTextDecoder(bytes, []);
    expect(decoder.push(0xc3 as Token)).toBe('');
    expect(decoder.end()).toBe('\uFFFD');
    const broken = Array.from({ length: 8 }, () => decoder.push(0xff as Token));
    expect(broken.join('')).toBe('\uFFFD'.repeat(8));
  });

  it('asks the tokenizer about once for each token, however long the text', () => {
    let calls = 0;
    const counted = {
      detokenize: (tokens: readonly Token[]): string => {
        calls += 1;
        return bytes.detokenize(tokens);
      },
    };
    const text = 'Grüße, '.repeat(40);
    const tokens = [...Buffer.from(text)];
    const decoder = createTextDecoder(counted, []);
    expect(tokens.map((byte) => decoder.push(byte as Token)).join('')).toBe(text);
    expect(calls).toBeLessThan(1.15 * tokens.length);
  });
});
