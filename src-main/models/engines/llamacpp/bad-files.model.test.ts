import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLlamaCpp } from './index.ts';
import { TADPOLE, temporaryFolder } from './testing.ts';

/** A copy of the model with every occurrence of a text replaced by one of the same length. */
function withText(file: string, from: string, to: string): void {
  if (from.length !== to.length) throw new Error('The lengths differ.');
  const bytes = readFileSync(TADPOLE).toString('latin1').replaceAll(from, to);
  writeFileSync(file, bytes, 'latin1');
}

function cut(file: string, bytes: number): void {
  copyFileSync(TADPOLE, file);
  truncateSync(file, bytes);
}

const CASES: [string, (file: string) => void, string][] = [
  ['a missing file', () => {}, 'there is no such file'],
  ['a folder', (file) => mkdirSync(file), 'is a folder'],
  ['an empty file', (file) => writeFileSync(file, ''), 'is empty'],
  ['a text file', (file) => writeFileSync(file, 'hello, this is no model'), 'is not a GGUF file'],
  ['a file of four bytes', (file) => writeFileSync(file, 'GGUF'), 'cut off or damaged'],
  ['a file cut in its header', (file) => cut(file, 3_000), 'cut off or damaged'],
  ['a file cut in its weights', (file) => cut(file, 5_000_000), 'cut off or damaged'],
  ['a file one byte short', (file) => cut(file, statSync(TADPOLE).size - 1), 'cut off or damaged'],
  [
    'an unknown architecture',
    (file) => withText(file, 'qwen3', 'qwenX'),
    'The architecture "qwenX" is not supported',
  ],
  [
    'no tokenizer',
    (file) => withText(file, 'tokenizer.ggml.tokens', 'tokenizer.ggml.tokenz'),
    'has no tokenizer',
  ],
  [
    'no chat template',
    (file) => withText(file, 'tokenizer.chat_template', 'tokenizer.chat_templatX'),
    'has no chat template',
  ],
  [
    'a chat template that cannot be read',
    (file) => withText(file, '{%- for m in messages %}', '{%- far m in messages %}'),
    'The chat template cannot be read',
  ],
];

describe('S07 bad model files', () => {
  it.each(CASES)('S07 refuses %s with its cause', async (_title, make, message) => {
    const folder = temporaryFolder();
    const file = join(folder, 'model.gguf');
    make(file);
    const opening = openLlamaCpp(file, { home: folder, env: process.env });
    await expect(opening).rejects.toMatchObject({
      name: 'VivariumError',
      code: 'model_file_invalid',
      message: expect.stringContaining(message) as string,
      next: expect.stringMatching(/^[A-Z].+\.$/) as string,
    });
  });

  it('S07 opens a GGUF whatever its extension', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'model.bin');
    copyFileSync(TADPOLE, file);
    const handle = await openLlamaCpp(file, { home: folder, env: process.env });
    expect(handle.info.contextTokens).toBe(2_048);
    await handle.close();
  });

  it('S07 names the missing parts of a split model', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'm-00001-of-00003.gguf');
    copyFileSync(TADPOLE, file);
    const opening = openLlamaCpp(file, { home: folder, env: process.env });
    await expect(opening).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: 'Parts of the model are missing: m-00002-of-00003.gguf, m-00003-of-00003.gguf.',
    });
  });
});
