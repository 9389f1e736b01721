import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mergeLimits, readRepositorySettings } from './settings.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function repositoryWith(text: string): string {
  const folder = emptyFolder();
  writeFileSync(path.join(folder, 'vivarium.yaml'), text);
  return folder;
}

test('reads image, verify, protected files and limits', async () => {
  const folder = repositoryWith(
    'image: mine:1\nverify: make check\nprotect: ["spec/**"]\nlimits: { memory: 1GiB, cpus: 1.5, steps: 20 }\n',
  );
  expect(await readRepositorySettings(folder)).toEqual({
    image: 'mine:1',
    verify: 'make check',
    protect: ['spec/**'],
    limits: { memory: 2 ** 30, cpus: 1.5, steps: 20 },
  });
});

test('no file and an empty file mean no settings', async () => {
  const empty = emptyFolder();
  expect(await readRepositorySettings(empty)).toEqual({});
  expect(await readRepositorySettings(repositoryWith(''))).toEqual({});
});

test('a file that cannot be read is refused: what it protects must not be lost in silence', async () => {
  const faults = new Map<string, (file: string) => void>([
    ['it is a symbolic link', (file) => symlinkSync('elsewhere.yaml', file)],
    ['it is not a regular file', (file) => mkdirSync(file)],
    ['it is larger than 1 MiB', (file) => writeFileSync(file, Buffer.alloc(1024 * 1024 + 1))],
  ]);
  for (const [fault, make] of faults) {
    const folder = emptyFolder();
    make(path.join(folder, 'vivarium.yaml'));
    await expect(readRepositorySettings(folder)).rejects.toMatchObject({
      code: 'settings_invalid',
      message: `vivarium.yaml can't be used: ${fault}`,
    });
  }
});

test.each([
  ['image: [\n', /vivarium\.yaml can't be used: line \d+: /],
  ['imgae: x\n', /vivarium\.yaml can't be used: .*imgae/],
  ['limits: { memory: lots }\n', /limits\.memory: "lots" is not a size such as 4GiB/],
  ['limits: { cpus: 0 }\n', /limits\.cpus: /],
  ['limits: { memory: 6MB }\n', /limits\.memory: too little/],
  ['limits: { pids: 1 }\n', /limits\.pids: /],
  ['- a list\n', /vivarium\.yaml can't be used: /],
])('refuses %j with its place', async (text, message) => {
  await expect(readRepositorySettings(repositoryWith(text))).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringMatching(message) as string,
  });
});

test('flags win over the file', () => {
  const limits = mergeLimits({ limits: { memory: 1000, pids: 99 } }, { memoryBytes: 2000 });
  expect(limits).toEqual({ memoryBytes: 2000, pids: 99 });
});
