import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUSYBOX_IMAGE } from '../../test/support/workspaces.ts';
import { connectEngine } from '../workspaces/index.ts';
import { BASE_IMAGE, chooseImage, imageOfDevcontainer } from './choose-image.ts';

let repository: string;
beforeEach(() => {
  repository = mkdtempSync(path.join(os.tmpdir(), 'vivarium-image-'));
});
afterEach(() => rmSync(repository, { recursive: true }));

function devcontainer(text: string, name = '.devcontainer/devcontainer.json'): void {
  mkdirSync(path.join(repository, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(repository, name), text);
}

test('the named image wins; then the one of the devcontainer if it is here; then the base', async () => {
  const engine = await connectEngine();
  expect(await chooseImage(engine, repository, undefined)).toBe(BASE_IMAGE);
  devcontainer(`{ "image": "${BUSYBOX_IMAGE}" }`);
  expect(await chooseImage(engine, repository, undefined)).toBe(BUSYBOX_IMAGE);
  expect(await chooseImage(engine, repository, BASE_IMAGE)).toBe(BASE_IMAGE);
  devcontainer('{ "image": "mcr.invalid/not-here:1" }');
  expect(await chooseImage(engine, repository, undefined)).toBe(BASE_IMAGE);
  await expect(chooseImage(engine, repository, 'not-here:1')).rejects.toMatchObject({
    code: 'image_missing',
    message: 'image not-here:1 is not on this machine',
    next: expect.stringContaining('vivarium images import') as string,
  });
});

test('a devcontainer file is JSON with comments; one without an image, or a broken one, names none', async () => {
  devcontainer('// comment\n{ "image": "a:1", /* more */ "features": {}, }');
  expect(await imageOfDevcontainer(repository)).toBe('a:1');
  for (const text of ['{ "build": { "dockerfile": "D" } }', '{ "image": 7 }', '[', 'null', '']) {
    devcontainer(text);
    expect([text, await imageOfDevcontainer(repository)]).toEqual([text, null]);
  }
  devcontainer('{ "image": "b:2" }', '.devcontainer.json');
  expect(await imageOfDevcontainer(repository)).toBe('b:2');
});

test('a link in the place of the file is not followed', async () => {
  devcontainer('{ "image": "secret:1" }', 'elsewhere.json');
  symlinkSync('elsewhere.json', path.join(repository, '.devcontainer.json'));
  expect(await imageOfDevcontainer(repository)).toBeNull();
});
