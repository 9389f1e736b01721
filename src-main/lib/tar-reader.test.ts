import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTar } from './tar-reader.ts';

const LONG = `deep/${'ä'.repeat(80)}/${'x'.repeat(150)}`;

function packed(...options: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'vivarium-tar-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of ['a/b', LONG, 'new\nline']) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), path === 'a/b' ? Buffer.alloc(1500, 'b') : 'x');
  }
  chmodSync(join(folder, 'a/b'), 0o755);
  symlinkSync('y/'.repeat(80), join(folder, 'far'));
  linkSync(join(folder, 'a/b'), join(folder, 'twin'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
  return execFileSync('tar', ['-C', folder, ...options, '-cf', '-', '--sort=name', '.']);
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size = 1000, maxFileBytes = 1_000_000) {
  const found: [string, string, string, number | null][] = [];
  for await (const entry of readTar(inPieces(bytes, size), { maxFileBytes })) {
    const { kind, content } = entry;
    const [path, link] = [entry.path.toString(), entry.link.toString()];
    found.push([path, kind, link, content === null ? null : content.length]);
  }
  return found;
}

test.each([['--format=gnu'], ['--format=pax'], ['--format=posix', '--pax-option=foo=bar']])(
  'reads what GNU tar writes with %s',
  async (...options) => {
    const bytes = packed(...options);
    for (const size of [7, 512, 100_000]) {
      expect(await read(bytes, size)).toEqual([
        ['.', 'folder', '', null],
        ['./a', 'folder', '', null],
        ['./a/b', 'file', '', 1500],
        ['./deep', 'folder', '', null],
        [`./${dirname(LONG)}`, 'folder', '', null],
        [`./${LONG}`, 'file', '', 1],
        ['./far', 'symlink', 'y/'.repeat(80), null],
        ['./new\nline', 'file', '', 1],
        ['./pipe', 'other', '', null],
        ['./twin', 'hardlink', './a/b', null],
      ]);
    }
  },
);

test('a file that is too large is passed over', async () => {
  const found = await read(packed(), 512, 1000);
  expect(found.find(([path]) => path === './a/b')).toEqual(['./a/b', 'file', '', null]);
  expect(found).toHaveLength(10);
});

test('what is cut off, damaged or no archive is refused', async () => {
  const bytes = packed();
  await expect(read(bytes.subarray(0, 2000))).rejects.toThrow('cut off');
  await expect(read(Buffer.alloc(2000, 'x'))).rejects.toThrow('none');
  const damaged = Buffer.from(bytes);
  damaged[0] = 0x41;
  await expect(read(damaged)).rejects.toThrow('no tar archive');
  await expect(read(Buffer.alloc(0))).rejects.toThrow('cut off');
});
