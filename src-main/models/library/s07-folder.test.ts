import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/index.ts';
import { inspectModel } from './inspect.ts';
import {
  CONFIG,
  openLibrary,
  safetensors,
  safetensorsHeader,
  SHARDS,
  temporaryFolder,
  wholeFolder,
  withLength,
  writeModel,
} from './testing.ts';

type Changes = Record<string, string | Buffer | null>;

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`;
const HEADER = safetensorsHeader({ a: { dtype: 'BF16', shape: [4], bytes: 8 } });
const zip = (inside: string): Buffer => Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}${inside}`);
const entry = (value: object, data = 8): Buffer =>
  Buffer.concat([withLength(JSON.stringify({ a: value })), Buffer.alloc(data)]);
const without = (key: keyof typeof CONFIG): string =>
  JSON.stringify({ ...CONFIG, [key]: undefined });

/** What is wrong, the change to a whole folder, the reason given, the next step given. */
const REFUSED: [string, Changes, string, string][] = [
  ['no tokenizer', { 'tokenizer.json': null }, 'has no tokenizer', 'all small files'],
  ['a cut tokenizer', { 'tokenizer.json': '{"model": {"a' }, 'its JSON ends early', 'Copy'],
  ['an empty tokenizer', { 'tokenizer.json': '' }, 'it is empty', 'Copy'],
  ['two tokenizers in one file', { 'tokenizer.json': '{}{}' }, 'not valid JSON', 'Copy'],
  ['a tokenizer left in LFS', { 'tokenizer.json': POINTER }, 'Git LFS pointer', 'git lfs pull'],
  ['no chat template', { 'tokenizer_config.json': '{}' }, 'has no chat template', 'base model'],
  [
    'an empty chat template',
    { 'tokenizer_config.json': '{"chat_template":" "}' },
    'has no chat template',
    'base model',
  ],
  ['a cut tokenizer config', { 'tokenizer_config.json': '{"chat_' }, 'not valid JSON', 'Copy'],
  ['no config', { 'config.json': null }, 'has no config.json', 'as it was published'],
  ['a cut config', { 'config.json': '{"archi' }, 'not valid JSON', 'Copy the file again'],
  ['a config that is a list', { 'config.json': '[]' }, 'not a JSON object', 'Copy'],
  [
    'a config without architecture',
    { 'config.json': without('architectures') },
    'names no architecture',
    'as it was published',
  ],
  [
    'a config without layers',
    { 'config.json': without('num_hidden_layers') },
    'how many layers',
    'as it was published',
  ],
  ['no weights', { 'model.safetensors': null }, 'but no weights', 'model.safetensors'],
  ['empty weights', { 'model.safetensors': '' }, 'is empty', 'Copy the file again'],
  ['weights of seven bytes', { 'model.safetensors': 'abcdefg' }, 'model.safetensors', 'Copy'],
  [
    'weights cut in the header',
    { 'model.safetensors': HEADER.subarray(0, 40) },
    'ends within its header',
    'Copy',
  ],
  [
    'weights cut in the data',
    { 'model.safetensors': safetensors().subarray(0, -1) },
    'its header speaks of',
    'Copy',
  ],
  [
    'weights that are too long',
    { 'model.safetensors': Buffer.concat([safetensors(), Buffer.alloc(1)]) },
    'its header speaks of',
    'Copy',
  ],
  [
    'a header that is no JSON',
    { 'model.safetensors': Buffer.concat([withLength('{"a": nope}'), Buffer.alloc(8)]) },
    'header is not valid JSON',
    'Copy',
  ],
  [
    'a tensor whose size is wrong',
    { 'model.safetensors': entry({ dtype: 'F32', shape: [3], data_offsets: [0, 8] }) },
    'does not fit its shape',
    'Copy',
  ],
  [
    'a tensor with a negative side',
    { 'model.safetensors': entry({ dtype: 'F32', shape: [-2], data_offsets: [0, 8] }) },
    'makes no sense',
    'Copy',
  ],
  [
    'a gap between tensors',
    { 'model.safetensors': entry({ dtype: 'F32', shape: [1], data_offsets: [4, 8] }) },
    'a gap or an overlap',
    'Copy',
  ],
  [
    'weights without tensors',
    { 'model.safetensors': withLength('{"__metadata__":{}}') },
    'hold no tensors',
    'Copy',
  ],
  ['weights left in LFS', { 'model.safetensors': POINTER }, 'Git LFS pointer', 'git lfs pull'],
  [
    'a web page for weights',
    { 'model.safetensors': '<!DOCTYPE html><html>Log in' },
    'is a web page',
    'Get the file again',
  ],
  [
    'a pickle named as safetensors',
    { 'model.safetensors': Buffer.from([0x80, 2, 0x7d, 0x71]) },
    'pickle',
    'Convert',
  ],
  [
    'pickles only',
    { 'model.safetensors': null, 'pytorch_model.bin': zip('archive/data.pkl') },
    'only as Python pickles (pytorch_model.bin)',
    'Convert the model to safetensors',
  ],
  [
    'shards missing',
    { ...SHARDS, 'model-00002-of-00002.safetensors': null },
    'missing: model-00002-of-00002.safetensors',
    'all 2 shards',
  ],
  [
    'an index missing',
    { ...SHARDS, 'model.safetensors.index.json': null },
    'neither model.safetensors nor',
    'model.safetensors.index.json beside',
  ],
  [
    'a shard of another model',
    { ...SHARDS, 'model-00002-of-00002.safetensors': safetensors() },
    'lacks 1 tensors',
    'Copy',
  ],
  [
    'a cut index',
    { ...SHARDS, 'model.safetensors.index.json': '{"weight_map": {"a"' },
    'not valid JSON',
    'Copy',
  ],
  [
    'an index of nothing',
    { ...SHARDS, 'model.safetensors.index.json': '{}' },
    'which shard holds which',
    'Copy',
  ],
  [
    'an index that leads outside',
    { ...SHARDS, 'model.safetensors.index.json': '{"weight_map":{"a":"../x.safetensors"}}' },
    'no safetensors file of this folder',
    'do not use',
  ],
  [
    'an adapter',
    {
      'config.json': null,
      'model.safetensors': null,
      'adapter_config.json': '{}',
      'adapter_model.safetensors': safetensors(),
    },
    'LoRA adapter',
    'Merge it',
  ],
  [
    'a sum that differs',
    { SHA256SUMS: `${'a'.repeat(64)}  config.json\n` },
    'is not the file that SHA256SUMS lists',
    'Copy the file again',
  ],
  [
    'a listed file that is missing',
    { SHA256SUMS: `${'a'.repeat(64)} *gone.json\n` },
    'SHA256SUMS lists gone.json, which is missing',
    'Copy the missing file',
  ],
  ['a list that is no list', { SHA256SUMS: 'hello\n' }, 'no sha256 checksum', 'Make the list'],
  [
    'a sum of its own that differs',
    { 'model.safetensors.sha256': 'b'.repeat(64) },
    'model.safetensors.sha256 lists',
    'Copy',
  ],
];

describe('S07 folders that are refused', () => {
  it.each(REFUSED)('S07 %s', async (_title, changes, message, next) => {
    const root = temporaryFolder();
    const folder = writeModel(join(root, 'model'), changes);
    const library = openLibrary(join(root, 'home'));
    for (const copy of [false, true]) {
      await expect(library.add(folder, { copy, name: 'm' })).rejects.toMatchObject({
        name: 'VivariumError',
        code: 'model_file_invalid',
        message: expect.stringContaining(message) as string,
        next: expect.stringContaining(next) as string,
      });
    }
    expect(await library.list()).toEqual([]);
  });

  it('S07 every way to cut a safetensors file', async () => {
    const root = temporaryFolder();
    const whole = safetensors();
    const folder = writeModel(join(root, 'model'));
    for (let bytes = 0; bytes < whole.length; bytes += 1) {
      writeFileSync(join(folder, 'model.safetensors'), whole.subarray(0, bytes));
      await expect(inspectModel(folder), `${bytes} bytes`).rejects.toMatchObject({
        code: 'model_file_invalid',
      });
    }
    writeFileSync(join(folder, 'model.safetensors'), whole);
    expect((await inspectModel(folder)).facts.weightBytes).toBe(8);
  });

  it('S07 every way to cut the small files', async () => {
    const root = temporaryFolder();
    const folder = writeModel(join(root, 'model'));
    for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
      const whole = Buffer.from(wholeFolder()[name] ?? '');
      for (let bytes = 0; bytes < whole.length; bytes += 1) {
        writeFileSync(join(folder, name), whole.subarray(0, bytes));
        await expect(inspectModel(folder), `${name}: ${bytes} bytes`).rejects.toMatchObject({
          code: 'model_file_invalid',
        });
      }
      writeFileSync(join(folder, name), whole);
    }
  });

  it('S07 a forged header length costs no memory', async () => {
    const root = temporaryFolder();
    const folder = writeModel(join(root, 'model'));
    for (const length of [2n ** 63n, 2n ** 40n, 100_000_001n, 99_999_999n]) {
      const forged = Buffer.from(safetensors());
      forged.writeBigUInt64LE(length);
      writeFileSync(join(folder, 'model.safetensors'), forged);
      const before = process.memoryUsage().arrayBuffers;
      await expect(inspectModel(folder)).rejects.toMatchObject({ code: 'model_file_invalid' });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20);
    }
  });
});

describe('S07 paths that are refused', () => {
  it.each<[string, (root: string) => string, string, string]>([
    ['nothing there', (root) => join(root, 'gone'), 'there is no such file', 'Check the path'],
    [
      'a path through a file',
      (root) => join(write(root, 'f', zip('x')), 'm'),
      'is a file, not',
      'Check',
    ],
    [
      'links in a circle',
      (root) => (symlinkSync('x', join(root, 'x')), join(root, 'x')),
      'in a circle',
      'Check',
    ],
    ['a device', () => '/dev/null', 'not a regular file', 'lies on a disk'],
    ['an empty folder', (root) => root, 'holds no model', 'Give a GGUF file'],
    ['a zip', (root) => write(root, 'm.zip', zip('config.json')), 'is a zip archive', 'Unpack it'],
    ['a folder with a zip', (root) => (write(root, 'm.zip', zip('x')), root), 'is a zip', 'Unpack'],
    [
      'a gzip',
      (root) => write(root, 'm.tgz', Buffer.from([0x1f, 0x8b, 8, 0])),
      'is a packed archive',
      'Unpack it',
    ],
    ['a pickle', (root) => write(root, 'm.pt', zip('m/data.pkl')), 'run any program', 'Convert'],
    [
      'one safetensors file',
      (root) => write(root, 'm.safetensors', safetensors()),
      'one file of a model',
      'Give the folder',
    ],
    [
      'a model deeper down',
      (root) => (writeModel(join(root, 'a', 'b')), root),
      'holds no model',
      'A model lies deeper',
    ],
  ])('S07 %s', async (_title, make, message, next) => {
    const root = temporaryFolder();
    const given = join(root, 'given');
    mkdirSync(given);
    await expect(openLibrary(join(root, 'home')).add(make(given))).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: expect.stringContaining(message) as string,
      next: expect.stringContaining(next) as string,
    });
  });

  it('S07 a link to nothing is named', async () => {
    const root = temporaryFolder();
    const folder = writeModel(join(root, 'model'));
    rmSync(join(folder, 'model.safetensors'));
    symlinkSync('../blobs/abc', join(folder, 'model.safetensors'));
    await expect(openLibrary(join(root, 'home')).add(folder)).rejects.toMatchObject({
      code: 'model_file_invalid',
      message: `${join(folder, 'model.safetensors')} is a link to a file that is not there.`,
    });
  });
});

function write(folder: string, name: string, content: Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('S07 folders that are taken', () => {
  it('S07 from a stick that a Mac wrote, with a list that lists itself', async () => {
    const root = temporaryFolder();
    const double = Buffer.from([0, 5, 0x16, 7, 0, 2, 0, 0]);
    const hidden = [
      '._config.json',
      '._model.safetensors',
      '._SHA256SUMS',
      '._x.sha256',
      '._x.gguf',
    ];
    const folder = writeModel(join(root, 'model'), {
      ...Object.fromEntries(hidden.map((name) => [name, double])),
      SHA256SUMS: `${sha256('')}  SHA256SUMS\n${sha256(JSON.stringify(CONFIG))}  config.json\n`,
    });
    const model = await openLibrary(join(root, 'home')).add(folder);
    expect(model.sums).toEqual({ file: 'SHA256SUMS', checked: 1 });
    expect(model.files.map(({ path }) => path)).toEqual(Object.keys(wholeFolder()).toSorted());
  });

  it('S07 with all its shards and sums in all forms', async () => {
    const root = temporaryFolder();
    const folder = writeModel(join(root, 'model'), { ...SHARDS, 'cat.png': 'picture' });
    const sum = (name: string): string => sha256(Buffer.from(SHARDS[name] ?? ''));
    const [one, two] = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    writeFileSync(
      join(folder, 'SHA256SUMS'),
      [
        `# made for the stick`,
        `${sum(one)}  ./${one}`,
        `SHA256 (${two}) = ${sum(two).toUpperCase()}`,
        `${sha256('picture')} *cat.png\r\n`,
      ].join('\n'),
    );
    const model = await openLibrary(join(root, 'home')).add(folder, { name: 'tiny' });
    expect(model).toMatchObject({
      name: 'tiny',
      folder,
      entry: folder,
      copied: false,
      sums: { file: 'SHA256SUMS', checked: 3 },
      facts: { format: 'safetensors', parameters: 12, weightBytes: 24, quantization: 'bfloat16' },
    });
    expect(model.files.map(({ path }) => path)).toEqual([
      'config.json',
      one,
      two,
      'model.safetensors.index.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect(model.files[1]?.sha256).toBe(sum(one));
    const lines = model.files.map((file) => `${file.sha256}  ${file.path}\n`).toSorted();
    expect(model.sha256).toBe(sha256(lines.join('')));
  });

  it("S07 Hugging Face's cache, where files are links to blobs", async () => {
    const root = temporaryFolder();
    const commit = 'c'.repeat(40);
    const cache = join(root, 'models--microsoft--FrogMini-14B');
    const snapshot = join(cache, 'snapshots', commit);
    mkdirSync(snapshot, { recursive: true });
    const blobs = writeModel(join(cache, 'blobs'));
    for (const name of Object.keys(wholeFolder())) {
      symlinkSync(join('..', '..', 'blobs', name), join(snapshot, name));
    }
    const library = openLibrary(join(root, 'home'));
    const linked = await library.add(snapshot);
    expect(linked).toMatchObject({ name: 'frogmini-14b', folder: snapshot, entry: snapshot });
    const copy = await library.add(snapshot, { name: 'copy', copy: true });
    expect(copy.sha256).toBe(linked.sha256);
    rmSync(blobs, { recursive: true });
    expect((await library.verify('copy')).ok).toBe(true);
    expect((await library.verify('frogmini-14b')).faults).toHaveLength(4);
  });
});
