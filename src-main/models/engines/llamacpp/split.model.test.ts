import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLlamaCpp } from './index.ts';
import { GREEDY, TADPOLE, TADPOLE_SYSTEM, temporaryFolder } from './testing.ts';

const ALIGNMENT = 32;
const TYPE = { uint16: 2, int32: 5 };
const HEADER_BYTES = 24;

interface Tensor {
  /** Name, sides and type as in the file. */
  head: Buffer;
  data: Buffer;
}

const aligned = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([u64(value.length), Buffer.from(value)]);

/** The metadata pairs of a GGUF as bytes, and its tensors. */
function readGguf(file: string): { pairs: Buffer; pairCount: number; tensors: Tensor[] } {
  const bytes = readFileSync(file);
  const count = Number(bytes.readBigUInt64LE(8));
  // The tensor list follows the pairs; llama.cpp's converters write the embedding first.
  const listStart = bytes.indexOf(text('token_embd.weight'));
  const heads: { head: Buffer; offset: number }[] = [];
  let at = listStart;
  for (let index = 0; index < count; index += 1) {
    const sidesAt = at + 8 + Number(bytes.readBigUInt64LE(at));
    const end = sidesAt + 4 + 8 * bytes.readUInt32LE(sidesAt) + 4;
    heads.push({ head: bytes.subarray(at, end), offset: Number(bytes.readBigUInt64LE(end)) });
    at = end + 8;
  }
  const data = bytes.subarray(aligned(at));
  const tensors = heads.map(({ head, offset }, index) => ({
    head,
    data: data.subarray(offset, heads[index + 1]?.offset ?? data.length),
  }));
  const pairs = bytes.subarray(HEADER_BYTES, listStart);
  return { pairs, pairCount: Number(bytes.readBigUInt64LE(16)), tensors };
}

function writeGguf(file: string, pairs: Buffer, pairCount: number, tensors: Tensor[]): void {
  let offset = 0;
  const list = tensors.map(({ head, data }) => {
    const entry = Buffer.concat([head, u64(offset)]);
    offset += aligned(data.length);
    return entry;
  });
  const info = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(pairCount),
    pairs,
    ...list,
  ]);
  const padded = (bytes: Buffer): Buffer =>
    Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
  writeFileSync(file, Buffer.concat([padded(info), ...tensors.map(({ data }) => padded(data))]));
}

function splitPairs(part: number, parts: number, tensors: number): Buffer {
  const uint16 = (name: string, value: number): Buffer =>
    Buffer.concat([text(name), u32(TYPE.uint16), u32(value).subarray(0, 2)]);
  return Buffer.concat([
    uint16('split.no', part),
    uint16('split.count', parts),
    Buffer.concat([text('split.tensors.count'), u32(TYPE.int32), u32(tensors)]),
  ]);
}

/** Splits a model as llama.cpp's own tool does: all metadata in the first part. */
function splitInTwo(file: string, folder: string): [string, string] {
  const { pairs, pairCount, tensors } = readGguf(file);
  const names: [string, string] = [
    join(folder, 'm-00001-of-00002.gguf'),
    join(folder, 'm-00002-of-00002.gguf'),
  ];
  const half = Math.floor(tensors.length / 2);
  const first = Buffer.concat([pairs, splitPairs(0, 2, tensors.length)]);
  writeGguf(names[0], first, pairCount + 3, tensors.slice(0, half));
  writeGguf(names[1], splitPairs(1, 2, tensors.length), 3, tensors.slice(half));
  return names;
}

describe('a model in two files', () => {
  it.each([0, 1])('is opened by part %i and answers like the whole', async (part) => {
    const folder = temporaryFolder();
    const names = splitInTwo(TADPOLE, folder);
    const replies: string[] = [];
    for (const file of [TADPOLE, names[part] ?? '']) {
      const handle = await openLlamaCpp(file, { home: folder, env: process.env });
      const { content } = await handle.chat.complete({
        messages: [
          { role: 'system', content: TADPOLE_SYSTEM },
          {
            role: 'user',
            content: 'Fix clamp in calc.py. Expected 4 for clamp(4, 0, 10), got 10.',
          },
        ],
        tools: [],
        sampling: GREEDY,
        maxTokens: 40,
      });
      expect(handle.info.details['parameters']).toBe(5_246_976);
      replies.push(content);
      await handle.close();
    }
    expect(replies[0]).toContain('calc.py');
    expect(replies[1]).toBe(replies[0]);
  });
});
