import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, makeFolderSync } from './make-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vivarium-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('makes what is missing, and accepts what is there', async () => {
  const deep = join(folder, 'a', 'b', 'c');
  await makeFolder(deep, 0o700);
  await makeFolder(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  symlinkSync(deep, join(folder, 'link'));
  await makeFolder(join(folder, 'link', 'd'));
  expect(statSync(join(deep, 'd')).isDirectory()).toBe(true);
});

test('refuses at once where a file or the system is in the way', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder('/proc/none/x')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the same without waiting', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolderSync(deep, 0o700);
  makeFolderSync(deep);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, 'file'), '');
  const code = (path: string): unknown => {
    try {
      return makeFolderSync(path);
    } catch (fault) {
      return (fault as NodeJS.ErrnoException).code;
    }
  };
  expect(['file', 'file/x'].map((name) => code(join(folder, name)))).toEqual(['EEXIST', 'ENOTDIR']);
  expect(code('/proc/none/x')).toBe('ENOENT');
});
