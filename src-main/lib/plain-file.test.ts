import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlainFile } from './plain-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plain-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file that a person named', () => {
  it('is opened for reading', async () => {
    const file = path.join(folder, 'a');
    writeFileSync(file, 'content');
    const handle = await openPlainFile(file);
    expect(await handle.readFile('utf8')).toBe('content');
    await handle.close();
  });

  it('that is a pipe nobody writes to is refused at once', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(openPlainFile(pipe)).rejects.toThrow('it is a pipe or a device, not a file');
  });

  it('that is a device, a folder or missing is refused', async () => {
    await expect(openPlainFile('/dev/zero')).rejects.toThrow('it is a pipe or a device');
    await expect(openPlainFile(folder)).rejects.toThrow('it is a folder');
    await expect(openPlainFile(path.join(folder, 'none'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
