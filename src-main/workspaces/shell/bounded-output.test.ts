import { expect, test } from 'vitest';
import { BoundedOutput } from './bounded-output.ts';

/** Bytes that tell their place. */
const stream = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, at) => at % 251));

/** Pushes a stream in pieces of varying size and returns what was kept. */
function collect(bytes: Buffer, keep: { head: number; tail: number }, pieces: number[]) {
  const output = new BoundedOutput(keep);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = pieces[turn % pieces.length] ?? 1;
    output.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return output.result();
}

test.each([
  [0, { head: 10, tail: 5 }],
  [7, { head: 10, tail: 5 }],
  [10, { head: 10, tail: 5 }],
  [11, { head: 10, tail: 5 }],
  [15, { head: 10, tail: 5 }],
  [16, { head: 10, tail: 5 }],
  [1000, { head: 10, tail: 5 }],
  [1000, { head: 0, tail: 5 }],
  [1000, { head: 10, tail: 0 }],
  [20_000, { head: 9000, tail: 4000 }],
])('of %d bytes the first and last are kept, in any pieces', (length, keep) => {
  const bytes = stream(length);
  const rest = Math.max(0, length - keep.head);
  const tail =
    rest === 0 || keep.tail === 0 ? Buffer.alloc(0) : bytes.subarray(-Math.min(rest, keep.tail));
  for (const pieces of [[1], [3, 1, 7], [100], [20_000]]) {
    const kept = collect(bytes, keep, pieces);
    expect(Buffer.from(kept.head).equals(bytes.subarray(0, keep.head))).toBe(true);
    expect(Buffer.from(kept.tail).equals(tail)).toBe(true);
    expect(kept.totalBytes).toBe(length);
  }
});

test('a result does not change when more comes', () => {
  const output = new BoundedOutput({ head: 2, tail: 2 });
  output.push(Buffer.from('abcd'));
  const early = output.result();
  output.push(Buffer.from('efg'));
  expect([String(early.head), String(early.tail)]).toEqual(['ab', 'cd']);
  expect([String(output.result().head), String(output.result().tail)]).toEqual(['ab', 'fg']);
});
