import { expect, test } from 'vitest';
import { MarkerScanner } from './marker-scanner.ts';

const MARKER = '0123456789abcdef0123456789abcdef';

function scan(chunks: string[]): { out: string; status: string | undefined } {
  let out = '';
  const scanner = new MarkerScanner(Buffer.from(MARKER), (chunk) => {
    out += chunk.toString('latin1');
  });
  for (const chunk of chunks) scanner.push(Buffer.from(chunk, 'latin1'));
  return { out, status: scanner.status };
}

test('B06 the marker is found glued to output, wherever the chunks are cut', () => {
  const stream = `a\0b\xff${MARKER.slice(0, 20)}x no newline${MARKER} 0 - 2\n`;
  const expected = { out: `a\0b\xff${MARKER.slice(0, 20)}x no newline`, status: '0 - 2' };
  expect(scan([stream])).toEqual(expected);
  for (let at = 0; at <= stream.length; at += 1) {
    expect(scan([stream.slice(0, at), stream.slice(at)])).toEqual(expected);
  }
  expect(scan(stream.split(''))).toEqual(expected);
});

test('what comes after the end is not output', () => {
  expect(scan([`x${MARKER} 1\nstale`, 'more'])).toEqual({ out: 'x', status: '1' });
});

test('without an end, everything but a possible beginning of one is handed on at once', () => {
  expect(scan(['abc', MARKER.slice(0, 5)])).toEqual({ out: 'abc', status: undefined });
  expect(scan([MARKER.slice(0, 31), 'Z'])).toEqual({
    out: `${MARKER.slice(0, 31)}Z`,
    status: undefined,
  });
});

test('an endless status ends the request with an empty one', () => {
  expect(scan([MARKER, 'x'.repeat(70_000)]).status).toBe('');
});
