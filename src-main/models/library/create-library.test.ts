import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processIdentity } from '../../lib/index.ts';
import type { AddProgress } from '../servers/library-types.ts';
import {
  HERMES,
  openLibrary,
  safetensorsHeader,
  temporaryFolder,
  wholeFolder,
  writeModel,
} from './testing.ts';

function setUp() {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const folder = writeModel(join(root, 'Tiny Model'));
  return { root, home, folder, library: openLibrary(home), shelf: join(home, 'models') };
}

/** Weights of any size that take no room on the disk. */
function sparseWeights(folder: string, bytes: number): void {
  const header = safetensorsHeader({ a: { dtype: 'U8', shape: [bytes], bytes } });
  const file = openSync(join(folder, 'model.safetensors'), 'w');
  writeSync(file, header);
  ftruncateSync(file, header.length + bytes);
  closeSync(file);
}

const mode = (path: string): number => statSync(path).mode & 0o777;
const COUNT = Object.keys(wholeFolder()).length;

describe('adding', () => {
  it('keeps the files where they are, and a record of them', async () => {
    const { folder, library, shelf, home } = setUp();
    const model = await library.add(folder);
    expect(model).toMatchObject({ name: 'tiny-model', folder, entry: folder, copied: false });
    expect(readdirSync(shelf)).toEqual(['tiny-model']);
    expect(readdirSync(join(shelf, 'tiny-model'))).toEqual(['model.json']);
    expect([mode(shelf), mode(join(shelf, 'tiny-model'))]).toEqual([0o700, 0o700]);
    expect(mode(join(shelf, 'tiny-model', 'model.json'))).toBe(0o600);
    expect(await library.get('tiny-model')).toEqual(model);
    expect(await openLibrary(home).list()).toEqual([model]);
  });

  it('copies when asked, and is whole without the original', async () => {
    const { folder, library, shelf } = setUp();
    const linked = await library.add(folder, { name: 'linked' });
    const copy = await library.add(folder, { copy: true, name: 'copy' });
    const files = join(shelf, 'copy', 'files');
    expect(copy).toMatchObject({ copied: true, folder: files, entry: files });
    expect(copy.files).toEqual(linked.files);
    rmSync(folder, { recursive: true });
    expect(await library.verify('copy')).toEqual({
      name: 'copy',
      ok: true,
      files: COUNT,
      faults: [],
    });
    for (const name of readdirSync(files)) expect(mode(join(files, name))).toBe(0o600);
  });

  it('asks which preset fits, and tells how far it is', async () => {
    const { folder, home } = setUp();
    const told: AddProgress[] = [];
    const library = openLibrary(home, { recognise: ({ architecture }) => `for ${architecture}` });
    const onProgress = (progress: AddProgress): void => void told.push(progress);
    const model = await library.add(folder, { copy: true, onProgress });
    expect(model.preset).toBe('for Qwen3ForCausalLM');
    const total = model.files.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(told[0]).toMatchObject({ phase: 'checking' });
    expect(told.at(-1)).toMatchObject({ phase: 'copying', doneBytes: total, totalBytes: total });
    expect(told.map(({ doneBytes }) => doneBytes)).toEqual(
      told.map(({ doneBytes }) => doneBytes).toSorted((a, b) => a - b),
    );
  });

  it('refuses a name that is taken, before it reads, and names that are none', async () => {
    const { folder, library } = setUp();
    await library.add(folder);
    await expect(library.add(folder)).rejects.toMatchObject({
      code: 'model_exists',
      next: expect.stringContaining('--name') as string,
    });
    for (const name of ['../x', 'A', '', '.adding.x']) {
      await expect(library.add(folder, { name })).rejects.toMatchObject({ code: 'usage' });
    }
    await Promise.allSettled([
      library.add(folder, { name: 'twice' }),
      library.add(folder, { name: 'twice', copy: true }),
    ]).then((ends) =>
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']),
    );
    expect((await library.list()).map(({ name }) => name)).toEqual(['tiny-model', 'twice']);
  });

  it('copies nothing when the disk has no room for it', async () => {
    const { folder, library, shelf } = setUp();
    sparseWeights(folder, 8 * 2 ** 40);
    await expect(library.add(folder, { copy: true })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('The copy needs 8.0 TiB') as string,
    });
    expect(readdirSync(shelf)).toEqual([]);
  });

  it.each(['copying', 'hashing'])('leaves nothing when it is cancelled while %s', async (phase) => {
    const { folder, library, shelf, home } = setUp();
    sparseWeights(folder, 64 * 2 ** 20);
    const stop = new AbortController();
    const reason = new Error('enough');
    const adding = library.add(folder, {
      copy: phase === 'copying',
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.phase === phase && progress.doneBytes > 2 ** 20) stop.abort(reason);
      },
    });
    await expect(adding).rejects.toBe(reason);
    expect(readdirSync(shelf)).toEqual([]);
    const cache = join(home, 'cache', 'sha256.json');
    const remembered = existsSync(cache) ? readFileSync(cache, 'utf8') : '';
    expect(remembered).not.toContain('model.safetensors');
  });

  it('leaves nothing that lasts when the app is killed in the middle', async () => {
    const { folder, library, shelf, home } = setUp();
    sparseWeights(folder, 64 * 2 ** 20);
    const script = `
      import { createModelLibrary } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const library = createModelLibrary({ home: process.argv[1], recognise: () => 'plain', inUse: async () => false });
      await library.add(process.argv[2], { copy: true, onProgress({ doneBytes }) {
        if (doneBytes < 2 ** 20) return;
        process.send('copying');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      } });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, home, folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    const half = (): string[] => readdirSync(shelf).filter((name) => name.startsWith('.adding.'));
    expect(half()).toHaveLength(1);
    // Its owner lives: another instance leaves it alone.
    expect(await library.list()).toEqual([]);
    expect(half()).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await library.list()).toEqual([]);
    expect(readdirSync(shelf)).toEqual([]);
  });
});

describe('finding', () => {
  it('names close ones', async () => {
    const { folder, library } = setUp();
    await expect(library.get('tiny')).rejects.toMatchObject({
      code: 'model_not_found',
      next: expect.stringContaining('models add') as string,
    });
    await library.add(folder);
    await expect(library.get('tinymodel')).rejects.toMatchObject({
      code: 'model_not_found',
      message: 'There is no model named "tinymodel".',
      next: expect.stringContaining('tiny-model') as string,
    });
    for (const name of ['../models/tiny-model', '.', '', 'tiny-model/']) {
      await expect(library.get(name)).rejects.toMatchObject({ code: 'model_not_found' });
    }
  });

  it('goes on when a record is damaged, and says what is wrong with it', async () => {
    const { folder, library, shelf } = setUp();
    for (const name of ['cut', 'good', 'missing']) await library.add(folder, { name });
    const record = join(shelf, 'cut', 'model.json');
    writeFileSync(record, readFileSync(record, 'utf8').slice(0, 100));
    rmSync(join(shelf, 'missing', 'model.json'));
    expect((await library.list()).map(({ name }) => name)).toEqual(['good']);
    for (const [name, message] of [
      ['cut', 'is damaged'],
      ['missing', 'is missing'],
    ] as const) {
      await expect(library.get(name)).rejects.toMatchObject({
        code: 'model_file_invalid',
        message: expect.stringContaining(message) as string,
        next: expect.stringContaining(`models remove ${name}`) as string,
      });
      expect(await library.remove(name)).toEqual({ deletedBytes: 0 });
    }
    expect(readdirSync(shelf)).toEqual(['good']);
  });

  it('finds copied models in a home that was moved', async () => {
    const { folder, library, home, root } = setUp();
    await library.add(folder, { copy: true });
    renameSync(home, join(root, 'other'));
    const moved = openLibrary(join(root, 'other'));
    const files = join(root, 'other', 'models', 'tiny-model', 'files');
    expect(await moved.get('tiny-model')).toMatchObject({ folder: files, entry: files });
    expect((await moved.verify('tiny-model')).ok).toBe(true);
  });
});

describe('verifying', () => {
  it('finds what is missing, longer, or other, whatever the times of the files', async () => {
    const { folder, library } = setUp();
    await library.add(folder);
    const weights = readFileSync(join(folder, 'model.safetensors'));
    const { mtime, atime } = statSync(join(folder, 'model.safetensors'));
    weights[weights.length - 1] = 0;
    writeFileSync(join(folder, 'model.safetensors'), weights);
    utimesSync(join(folder, 'model.safetensors'), atime, mtime);
    writeFileSync(join(folder, 'tokenizer.json'), '{}');
    rmSync(join(folder, 'config.json'));
    expect(await library.verify('tiny-model')).toEqual({
      name: 'tiny-model',
      ok: false,
      files: COUNT,
      faults: [
        { path: 'config.json', fault: 'missing' },
        { path: 'model.safetensors', fault: 'sha256 differs' },
        { path: 'tokenizer.json', fault: 'size differs' },
      ],
    });
  });
});

describe('removing', () => {
  it("deletes copies only, never the user's own files, and follows no link", async () => {
    const { folder, library, shelf, root } = setUp();
    await library.add(folder, { name: 'linked' });
    const { files } = await library.add(folder, { name: 'copy', copy: true });
    const precious = join(root, 'precious');
    writeModel(precious);
    symlinkSync(precious, join(shelf, 'copy', 'files', 'link'));
    expect(await library.remove('linked')).toEqual({ deletedBytes: 0 });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(await library.remove('copy')).toEqual({ deletedBytes: bytes });
    expect(readdirSync(shelf)).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(COUNT);
    expect(readdirSync(precious)).toHaveLength(COUNT);
  });

  it('a link on the shelf is no model', async () => {
    const { folder, library, shelf } = setUp();
    mkdirSync(shelf, { recursive: true });
    symlinkSync(folder, join(shelf, 'link'));
    expect(await library.list()).toEqual([]);
    await expect(library.remove('link')).rejects.toMatchObject({ code: 'model_not_found' });
    expect(readdirSync(folder)).toHaveLength(COUNT);
  });

  it('waits until the server is stopped', async () => {
    const { folder, home } = setUp();
    const library = openLibrary(home, { inUse: async (name) => name === 'used' });
    await library.add(folder, { name: 'used' });
    const inUse = {
      code: 'model_in_use',
      next: expect.stringContaining('models stop used') as string,
    };
    await expect(library.remove('used')).rejects.toMatchObject(inUse);
    await expect(library.rename('used', 'other')).rejects.toMatchObject(inUse);
    expect((await library.get('used')).name).toBe('used');
  });
});

describe('renaming', () => {
  it('moves the record, the copy, and what lies beside it', async () => {
    const { folder, library, shelf } = setUp();
    await library.add(folder, { name: 'old', copy: true });
    writeFileSync(join(shelf, 'old', 'profile.yaml'), 'name: old\n');
    const model = await library.rename('old', 'new');
    expect(model).toMatchObject({ name: 'new', folder: join(shelf, 'new', 'files') });
    expect(readdirSync(shelf)).toEqual(['new']);
    expect(readdirSync(join(shelf, 'new'))).toEqual(['files', 'model.json', 'profile.yaml']);
    expect((await library.verify('new')).ok).toBe(true);
    expect(JSON.parse(readFileSync(join(shelf, 'new', 'model.json'), 'utf8'))).toEqual(model);
  });

  it('is right also when it was cut short before the record was written', async () => {
    const { folder, library, shelf } = setUp();
    await library.add(folder, { name: 'old', copy: true });
    renameSync(join(shelf, 'old'), join(shelf, 'new'));
    expect(await library.list()).toMatchObject([
      { name: 'new', folder: join(shelf, 'new', 'files') },
    ]);
  });

  it('refuses names that are taken or none', async () => {
    const { folder, library } = setUp();
    for (const name of ['one', 'two']) await library.add(folder, { name });
    await expect(library.rename('one', 'two')).rejects.toMatchObject({ code: 'model_exists' });
    await expect(library.rename('one', '../x')).rejects.toMatchObject({ code: 'usage' });
    await expect(library.rename('three', 'x')).rejects.toMatchObject({ code: 'model_not_found' });
    expect((await library.list()).map(({ name }) => name)).toEqual(['one', 'two']);
  });
});

describe('what killed owners left', () => {
  it('is removed by the next add or list, and by nobody while they live', async () => {
    const { folder, library, shelf } = setUp();
    const dead = processIdentity().replace(/^(\d+)\.\d+/, '$1.1');
    for (const owner of [dead, processIdentity()]) {
      mkdirSync(join(shelf, `.adding.abc.${owner}`, 'files'), { recursive: true });
      mkdirSync(join(shelf, `.removing.abc.${owner}`), { recursive: true });
    }
    await library.add(folder);
    expect(readdirSync(shelf)).toEqual([
      `.adding.abc.${processIdentity()}`,
      `.removing.abc.${processIdentity()}`,
      'tiny-model',
    ]);
  });
});

describe('templates', () => {
  it('are known by their bytes', async () => {
    const { folder, library } = setUp();
    const { facts } = await library.add(folder);
    expect(facts.chatTemplate).toMatchObject({
      source: 'tokenizer_config.json',
      callFormat: 'hermes',
    });
    writeFileSync(join(folder, 'chat_template.jinja'), HERMES);
    const other = await library.add(folder, { name: 'other' });
    expect(other.facts.chatTemplate.sha256).toBe(facts.chatTemplate.sha256);
  });
});
