import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/index.ts';
import { digestFiles } from './file-digest.ts';

let home: string;
let file: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vivarium-digest-'));
  file = join(home, 'model.gguf');
  writeFileSync(file, 'first');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('checksums of model files', () => {
  it('are those of the bytes, over all parts in order', async () => {
    const second = join(home, 'model2.gguf');
    writeFileSync(second, 'second');
    expect(await digestFiles([file], home)).toBe(sha256('first'));
    expect(await digestFiles([file, second], home)).toBe(sha256('firstsecond'));
  });

  it('are kept while the file stays the same, and made anew when it changes', async () => {
    await digestFiles([file], home);
    const cacheFile = join(home, 'cache', 'sha256.json');
    const forged = 'f'.repeat(64);
    writeFileSync(cacheFile, readFileSync(cacheFile, 'utf8').replace(sha256('first'), forged));
    expect(await digestFiles([file], home)).toBe(forged);
    const { atime } = statSync(file);
    utimesSync(file, atime, new Date(1_000_000));
    expect(await digestFiles([file], home)).toBe(sha256('first'));
  });

  it('are made anew when asked to, and kept then', async () => {
    await digestFiles([file], home);
    const cacheFile = join(home, 'cache', 'sha256.json');
    const forged = readFileSync(cacheFile, 'utf8').replace(sha256('first'), 'f'.repeat(64));
    writeFileSync(cacheFile, forged);
    expect(await digestFiles([file], home, undefined, { fresh: true })).toBe(sha256('first'));
    expect(await digestFiles([file], home)).toBe(sha256('first'));
  });

  it('do without a cache that is damaged', async () => {
    await digestFiles([file], home);
    writeFileSync(join(home, 'cache', 'sha256.json'), '{"half');
    expect(await digestFiles([file], home)).toBe(sha256('first'));
  });
});
