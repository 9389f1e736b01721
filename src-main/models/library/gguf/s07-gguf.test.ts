import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256, type VivariumError } from '../../../lib/index.ts';
import { TADPOLE } from '../../engines/llamacpp/testing.ts';
import { inspectModel } from '../inspect.ts';
import {
  GGUF_METADATA,
  gguf,
  openLibrary,
  temporaryFolder,
  type TestGguf,
  text,
  u32,
  u64,
  writeModel,
} from '../testing.ts';

const WHOLE = gguf({ metadata: GGUF_METADATA });

type Metadata = TestGguf['metadata'];

function changed(changes: Record<string, Metadata[string] | undefined>): Buffer {
  const all = Object.entries({ ...GGUF_METADATA, ...changes });
  const kept = all.filter((entry): entry is [string, Metadata[string]] => entry[1] !== undefined);
  return gguf({ metadata: Object.fromEntries(kept) });
}

/** A header that states these counts, and then what follows. */
function forged(tensors: number, pairs: number, ...rest: Buffer[]): Buffer {
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors), u64(pairs), ...rest];
  return Buffer.concat([...head, Buffer.alloc(4_096)]);
}

function tensors(...list: NonNullable<TestGguf['tensors']>): Buffer {
  return gguf({ metadata: GGUF_METADATA, tensors: list });
}

const row = { name: 'a', sides: [32], type: 8, bytes: 34 };

const REFUSED: [string, Buffer | string, string][] = [
  ['an empty file', '', 'is empty'],
  ['three letters', 'GGU', 'is cut off or damaged'],
  ['a text file', 'hello, this is no model', 'is a text file'],
  ['a web page', '\n<html>', 'is a web page'],
  ['an LFS pointer', 'version https://git-lfs.github.com/spec/v1\n', 'is a Git LFS pointer'],
  ['a pickle', Buffer.from([0x80, 4, 0x95, 0, 0, 0, 0, 0]), 'is a Python pickle'],
  ['the old GGML', Buffer.from('tjgg\u0003\0\0\0'), 'is in the GGML format'],
  ['version 1', gguf({ version: 1, metadata: {} }), 'version 1'],
  ['version 9', gguf({ version: 9, metadata: {} }), 'version 9'],
  ['big-endian', gguf({ version: 0x0300_0000, metadata: {} }), 'big-endian'],
  ['no tokenizer', changed({ 'tokenizer.ggml.tokens': undefined }), 'has no tokenizer'],
  ['no chat template', changed({ 'tokenizer.chat_template': undefined }), 'has no chat template'],
  ['no architecture', changed({ 'general.architecture': undefined }), 'names no architecture'],
  ['no sizes', changed({ 'qwen3.block_count': undefined }), 'how many layers'],
  ['a LoRA', changed({ 'general.type': 'adapter' }), 'is a LoRA adapter'],
  ['a vision part', changed({ 'general.architecture': 'clip' }), 'is the vision part'],
  ['a vocabulary', tensors(), 'has no weights'],
  ['a strange alignment', changed({ 'general.alignment': 0.5 }), 'alignment makes no sense'],
  ['a part under another name', changed({ 'split.count': 3 }), 'says that it is one of 3 parts'],
  ['billions of entries', forged(1, 2 ** 40), 'metadata entries'],
  ['billions of tensors', forged(2 ** 40, 0), 'tensors'],
  ['a key without end', forged(1, 1, u64(2 ** 50)), 'ends within its header'],
  ['an unknown type', forged(1, 1, text('k'), u32(77)), 'unknown type 77'],
  ['a list without end', forged(1, 1, text('k'), u32(9), u32(4), u64(2 ** 45)), 'items'],
  ['a long list', forged(1, 1, text('k'), u32(9), u32(4), u64(7_999_999)), 'within its header'],
  ['texts without end', forged(1, 1, text('k'), u32(9), u32(8), u64(1), u64(2 ** 33)), 'within'],
  ['many texts', forged(1, 1, text('k'), u32(9), u32(8), u64(7_999_999)), 'within its header'],
  ['lists in lists', forged(1, 1, text('k'), u32(9), u32(9), u64(9)), 'unknown type 9'],
  ['rows that fit no block', tensors({ ...row, sides: [31] }), 'do not fit its type Q8_0'],
  ['five dimensions', tensors({ ...row, sides: [32, 1, 1, 1, 1] }), '5 dimensions'],
  ['a tensor without end', tensors({ ...row, sides: [2 ** 40, 2 ** 12] }), 'speaks of at least'],
  ['an impossible tensor', tensors({ ...row, sides: [2 ** 50, 2 ** 50] }), 'impossible size'],
  ['tensors that overlap', tensors({ ...row, sides: [64] }, row), 'overlap'],
];

describe('S07 GGUF files that are refused', () => {
  it.each(REFUSED)('S07 %s', async (_title, content, message) => {
    const root = temporaryFolder();
    const file = join(root, 'model.gguf');
    writeFileSync(file, content);
    const before = process.memoryUsage().arrayBuffers;
    await expect(openLibrary(join(root, 'home')).add(file)).rejects.toMatchObject({
      name: 'VivariumError',
      code: 'model_file_invalid',
      message: expect.stringContaining(message) as string,
      next: expect.stringMatching(/^[A-Z].+\.$/) as string,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20);
  });

  it('S07 every way to cut a GGUF file', async () => {
    const root = temporaryFolder();
    const file = join(root, 'model.gguf');
    // The padding after the last tensor is not missed.
    const needed = WHOLE.length - (96 - 68);
    for (let bytes = 0; bytes < needed; bytes += 1) {
      writeFileSync(file, WHOLE.subarray(0, bytes));
      await expect(inspectModel(file), `${bytes} bytes`).rejects.toMatchObject({
        code: 'model_file_invalid',
      });
    }
    writeFileSync(file, WHOLE.subarray(0, needed));
    expect((await inspectModel(file)).facts.parameters).toBe(64);
  });

  it('S07 a real model cut at many places', async () => {
    const root = temporaryFolder();
    const file = join(root, 'model.gguf');
    const whole = readFileSync(TADPOLE);
    // Some prime number apart, and close to both ends.
    const cuts = Array.from({ length: 60 }, (_, index) => index * 94_207 + 11);
    for (const bytes of [...cuts, whole.length - 33, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, bytes));
      await expect(inspectModel(file), `${bytes} bytes`).rejects.toMatchObject({
        code: 'model_file_invalid',
      });
    }
  });

  it('S07 a byte of the header turned at every place is refused or read, and never hangs', async () => {
    const root = temporaryFolder();
    const file = join(root, 'model.gguf');
    for (let at = 0; at < WHOLE.length - 96; at += 1) {
      const bytes = Buffer.from(WHOLE);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
      const ending = await inspectModel(file).then(
        () => 'read',
        (fault: unknown) => (fault as VivariumError).code,
      );
      expect(['read', 'model_file_invalid'], `byte ${at}`).toContain(ending);
    }
  });
});

function part(number: number, of: number, total: number, changes: Metadata = {}): Buffer {
  const first = number === 0 ? GGUF_METADATA : {};
  const split = { 'split.no': number, 'split.count': of, 'split.tensors.count': total };
  const metadata = { ...first, ...split, ...changes };
  return gguf({ metadata, tensors: [{ ...row, name: `t${number}` }] });
}

const partName = (number: number): string => `big-0000${number + 1}-of-00003.gguf`;

describe('S07 split GGUF files', () => {
  it.each([0, 1, 2])('S07 taken by part %i, with their sums', async (given) => {
    const root = temporaryFolder();
    const parts = [0, 1, 2].map((number) => part(number, 3, 3));
    for (const [number, bytes] of parts.entries())
      writeFileSync(join(root, partName(number)), bytes);
    const lines = parts.map((bytes, number) => `${sha256(bytes)}  ${partName(number)}`);
    // A list of a whole stick names other models, too.
    writeFileSync(join(root, 'SHA256SUMS'), [...lines, `${'0'.repeat(64)}  other.gguf`].join('\n'));
    const model = await openLibrary(join(root, 'home')).add(join(root, partName(given)));
    expect(model).toMatchObject({
      name: 'big',
      folder: root,
      entry: join(root, partName(0)),
      sums: { file: 'SHA256SUMS', checked: 3 },
      facts: { parameters: 96, weightBytes: 102 },
    });
    expect(model.files.map(({ path }) => path)).toEqual([0, 1, 2].map(partName));
  });

  it.each<[string, (Buffer | null)[], string]>([
    ['one is missing', [part(0, 3, 3), null, part(2, 3, 3)], 'missing: big-00002-of-00003'],
    ['one is cut', [part(0, 3, 3), part(1, 3, 3), part(2, 3, 3).subarray(0, 90)], 'damaged'],
    ['two changed places', [part(0, 3, 3), part(2, 3, 3), part(1, 3, 3)], 'that it is part 3'],
    ['one is of another split', [part(0, 3, 3), part(1, 4, 3), part(2, 3, 3)], 'one of 4 parts'],
    ['tensors are missing', [part(0, 3, 9), part(1, 3, 9), part(2, 3, 9)], 'where 9 should be'],
    ['a listed sum differs', [part(0, 3, 3), part(1, 3, 3), part(2, 3, 3)], 'SHA256SUMS lists'],
  ])('S07 refused when %s', async (_title, parts, message) => {
    const root = temporaryFolder();
    for (const [number, bytes] of parts.entries()) {
      if (bytes !== null) writeFileSync(join(root, partName(number)), bytes);
    }
    writeFileSync(join(root, 'SHA256SUMS'), `${'0'.repeat(64)} *${partName(1)}\n`);
    const adding = openLibrary(join(root, 'home')).add(join(root, partName(0)));
    await expect(adding).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('S07 GGUF files that are taken', () => {
  it('S07 whatever their extension, and through a link', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'blobs'));
    copyFileSync(TADPOLE, join(root, 'blobs', 'abc'));
    symlinkSync('blobs/abc', join(root, 'Tadpole Q8.bin'));
    const model = await openLibrary(join(root, 'home')).add(join(root, 'Tadpole Q8.bin'));
    expect(model.name).toBe('tadpole-q8.bin');
    expect(model.entry).toBe(join(root, 'Tadpole Q8.bin'));
    expect(model.files).toEqual([
      { path: 'Tadpole Q8.bin', bytes: 5_652_736, sha256: sha256(readFileSync(TADPOLE)) },
    ]);
  });

  it('S07 from a folder with one model, its vision part and its card', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'tiny-Q8_0.gguf'), WHOLE);
    writeFileSync(join(root, 'mmproj-tiny.gguf'), changed({ 'general.architecture': 'clip' }));
    writeFileSync(join(root, 'README.md'), '---\nlicense: mit\n---\n# FrogNano-4B GGUF\n');
    const { facts, name, files } = await openLibrary(join(root, 'home')).add(root);
    expect(name).toBe('tiny-q8_0');
    expect(files.map(({ path }) => path)).toEqual(['tiny-Q8_0.gguf']);
    expect(facts.licences).toEqual([{ source: 'README.md (front matter)', licence: 'mit' }]);
    expect(facts.names).toEqual(['Tiny', 'FrogNano-4B GGUF', 'tiny-Q8_0']);
  });

  it('S07 asks for one where a folder holds several', async () => {
    const root = temporaryFolder();
    for (const name of ['a.gguf', 'b.gguf']) writeFileSync(join(root, name), WHOLE);
    await expect(openLibrary(join(root, 'home')).add(root)).rejects.toMatchObject({
      message: `${root} holds several models: a.gguf, b.gguf.`,
      next: 'Give the file of the one you want; of a split model, any part.',
    });
  });

  it('S07 is not confused by a config beside it', async () => {
    const root = temporaryFolder();
    writeModel(root, { 'model.safetensors': null, 'm.gguf': WHOLE });
    const { facts } = await openLibrary(join(root, 'home')).add(root);
    expect(facts.format).toBe('gguf');
  });
});
