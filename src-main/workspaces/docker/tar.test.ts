import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { file, link } from '../../../test/support/workspaces.ts';
import type { SeedEntry } from '../types.ts';
import { seedTar } from './tar.ts';

async function pack(entries: SeedEntry[]): Promise<Buffer> {
  const seen: string[] = [];
  const source = (async function* () {
    yield* entries;
  })();
  const chunks: Buffer[] = [];
  for await (const chunk of seedTar(source, 1000, (path) => seen.push(path))) chunks.push(chunk);
  expect(seen).toEqual(entries.map((entry) => entry.path));
  return Buffer.concat(chunks);
}

test('GNU tar reads modes, owners, links, long and odd names, and parents that were not listed', async () => {
  const long = `deep/${'ä'.repeat(80)}/${'x'.repeat(150)}`;
  const archive = await pack([
    file('a/b', 'content'),
    file('a/run', '', true),
    file(long, 'long'),
    file('new\nline', 'n'),
    link('ln', 'a/b'),
    link('far', `${'y/'.repeat(80)}z`),
    { path: 'empty', mode: '40000', content: Buffer.alloc(0) },
  ]);
  const listing = execFileSync(
    'tar',
    ['-tv', '--numeric-owner', '--quoting-style=escape', '-f', '-'],
    {
      input: archive,
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    },
  )
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+\d{4}-\d\d-\d\d \d\d:\d\d /, ' '));
  expect(listing).toEqual([
    'drwxr-xr-x 1000/1000         0 a/',
    '-rw-r--r-- 1000/1000         7 a/b',
    '-rwxr-xr-x 1000/1000         0 a/run',
    'drwxr-xr-x 1000/1000         0 deep/',
    `drwxr-xr-x 1000/1000         0 deep/${'ä'.repeat(80)}/`,
    `-rw-r--r-- 1000/1000         4 ${long}`,
    '-rw-r--r-- 1000/1000         1 new\\nline',
    'lrwxrwxrwx 1000/1000         0 ln -> a/b',
    `lrwxrwxrwx 1000/1000         0 far -> ${'y/'.repeat(80)}z`,
    'drwxr-xr-x 1000/1000         0 empty/',
  ]);
});

test('a path that would leave the tree is refused', async () => {
  for (const path of ['../x', '/x', 'a//b', 'a/./b', 'a/..', '', 'a\0b']) {
    await expect(pack([file(path, '')])).rejects.toMatchObject({ code: 'workspace_failed' });
  }
});
