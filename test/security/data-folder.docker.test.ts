import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RESOURCES } from '../../src-main/core/environment.ts';
import { digestFiles } from '../../src-main/models/library/file-digest.ts';
import { createTestServer } from '../../src-main/doors/serve/testing.ts';
import { openSetting, RIGHT, turn, VERIFY, type Setting } from '../fix/setting.ts';

let setting: Setting;
beforeEach(async () => {
  setting = await openSetting();
});
afterEach(async () => {
  await setting.dispose();
});

const GGUF = path.join(RESOURCES, 'models', 'tadpole.gguf');
const context = { signal: new AbortController().signal };

/** Everything in a folder that others than its owner can do something with, by name and mode. */
function openToOthers(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below)).flatMap((name) => {
    const own = path.join(below, name);
    const stat = lstatSync(path.join(folder, own));
    const mode = stat.mode & 0o777;
    const open = (mode & 0o077) === 0 ? [] : [`${own} ${mode.toString(8)}`];
    // What lies in a folder that others cannot enter is as closed as that.
    return stat.isDirectory() && open.length > 0 ? [...open, ...openToOthers(folder, own)] : open;
  });
}

/** Files of ours below a closed folder that are open themselves, if the folder ever was. */
function careless(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below)).flatMap((name) => {
    const own = path.join(below, name);
    const stat = lstatSync(path.join(folder, own));
    if (stat.isDirectory()) return careless(folder, own);
    return (stat.mode & 0o077) === 0 ? [] : [own];
  });
}

test('nothing in the data folder is open to others, although the folder itself is', async () => {
  mkdirSync(setting.home, { recursive: true });
  chmodSync(setting.home, 0o755);
  const { handlers } = setting.core;
  const model = await setting.script(turn(RIGHT), { content: 'Done.' });
  const result = await setting.fix({ model, verify: VERIFY });
  expect(result.outcome).toBe('verified');
  const adding = handlers['models/add']({ path: GGUF, name: 'frog', copy: true }, context);
  while ((await adding.next()).done !== true);
  await handlers['models/profile']({ name: 'frog' }, context);
  await digestFiles([GGUF], setting.home);
  await handlers['drafts/set']({ key: 'new-fix', text: 'secret' }, context);
  const server = await createTestServer({}, { home: setting.home });
  await server.login();
  const { mode } = lstatSync(setting.home);
  expect(mode & 0o777).toBe(0o755);
  // The pages of the test server are no data of ours.
  expect(openToOthers(setting.home).filter((name) => !name.startsWith('renderer'))).toEqual([]);
  const files = careless(setting.home).filter((name) => !name.startsWith('renderer'));
  // Git's own files and copies of the user's are as the umask has it, in a folder that is closed.
  expect(
    files.filter((name) => !/^snapshots\/[^/]+\/(?:objects|refs|index|info)/.test(name)),
  ).toEqual([]);
  await server.close();
});
