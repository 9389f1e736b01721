import { mkdtempSync, readFileSync, readdirSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeAtomic } from './write-atomic.ts';

const folder = () => mkdtempSync(path.join(os.tmpdir(), 'vivarium-write-'));

test('makes folders, writes the bytes and leaves no temporary file', async () => {
  const root = folder();
  const bytes = Uint8Array.of(0, 13, 10, 255);
  const written = await writeAtomic(path.join(root, 'a/b/c.patch'), bytes);
  expect(written).toBe(path.join(root, 'a/b/c.patch'));
  expect(new Uint8Array(readFileSync(written))).toEqual(bytes);
  expect(readdirSync(path.join(root, 'a/b'))).toEqual(['c.patch']);
});

test('replaces a link instead of writing through it', async () => {
  const root = folder();
  writeFileSync(path.join(root, 'precious'), 'kept');
  symlinkSync('precious', path.join(root, 'out.patch'));
  await writeAtomic(path.join(root, 'out.patch'), 'new');
  expect(readFileSync(path.join(root, 'precious'), 'utf8')).toBe('kept');
  expect(lstatSync(path.join(root, 'out.patch')).isFile()).toBe(true);
});

test('says why it cannot write and leaves nothing', async () => {
  const root = folder();
  writeFileSync(path.join(root, 'file'), '');
  await expect(writeAtomic(path.join(root, 'file/x.patch'), 'x')).rejects.toMatchObject({
    code: 'out_unwritable',
  });
  expect(readdirSync(root)).toEqual(['file']);
});
