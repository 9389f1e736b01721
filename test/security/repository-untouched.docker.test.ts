import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  call,
  DONE,
  FIX,
  fixWords,
  git,
  makePlace,
  READ,
  removePlace,
  run,
  script,
  sessionsOf,
  start,
  WAIT,
  type Place,
} from '../cli/command.ts';
import { fingerprint } from '../real/leftovers.ts';

const VERIFY = ['--verify', 'python3 -m pytest -q'];

let place: Place;
let before: string;

/** A working tree as people have them: staged, changed, new and ignored files, a hook, a second branch. */
beforeEach(async () => {
  place = await makePlace({
    '.gitignore': '*.log\n',
    'readme.txt': 'one\r\ntwo',
    '.gitattributes': '*.txt text=auto\n*.py filter=trap diff=trap\n',
    'vivarium.yaml': 'protect: [spec.txt]\n',
  });
  const { repository, folder } = place;
  const trap = `touch ${path.join(folder, 'trapped')}`;
  await writeFile(path.join(repository, 'readme.txt'), 'changed\r\n');
  await writeFile(path.join(repository, 'staged.py'), 'x = 1\n');
  await git(repository, 'add', 'staged.py');
  await writeFile(path.join(repository, 'new.py'), 'y = 1\n');
  await writeFile(path.join(repository, 'noise.log'), 'noise\n');
  await git(repository, 'branch', 'other');
  for (const [key, value] of Object.entries({
    'filter.trap.clean': `${trap}; cat`,
    'filter.trap.smudge': `${trap}; cat`,
    'diff.trap.textconv': `${trap}; cat`,
    'core.fsmonitor': trap,
    'core.hooksPath': path.join(folder, 'hooks'),
    'core.pager': trap,
    'core.editor': trap,
    'core.sshCommand': trap,
    'credential.helper': `!${trap}`,
    'gpg.program': trap,
    'commit.gpgsign': 'true',
    'uploadpack.packObjectsHook': trap,
    'include.path': path.join(folder, 'more.config'),
    'index.skipHash': 'false',
  })) {
    await git(repository, 'config', key, value);
  }
  await mkdir(path.join(folder, 'hooks'));
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'post-index-change',
    'reference-transaction',
  ]) {
    const file = path.join(folder, 'hooks', hook);
    await writeFile(file, `#!/bin/sh\n${trap}\n`, { mode: 0o755 });
  }
  await writeFile(path.join(folder, 'more.config'), `[alias]\n\tstatus = "!${trap}"\n`);
  before = await fingerprint(repository);
});
afterEach(() => removePlace(place));

async function expectUntouched(): Promise<void> {
  expect(await fingerprint(place.repository)).toBe(before);
  await expect(stat(path.join(place.folder, 'trapped'))).rejects.toThrow('ENOENT');
}

async function newest(): Promise<string> {
  return (await sessionsOf(place))[0]?.sessionId ?? '';
}

test('a fix, its export and what shows it leave every byte and time of the repository', async () => {
  const fixed = await run(
    place,
    ...fixWords(place, await script(place, READ, FIX, DONE), ...VERIFY),
  );
  expect([fixed.code, fixed.stdout.split('\n')[0]]).toEqual([0, 'Fixed and verified.']);
  await expectUntouched();
  const id = await newest();
  for (const format of ['patch', 'mbox', 'leaf']) {
    const out = path.join(place.folder, format);
    expect(await run(place, 'export', id, '--out', out, '--format', format)).toMatchObject({
      code: 0,
    });
  }
  for (const flag of ['--patch', '--steps', '--json']) {
    expect(await run(place, 'show', id, flag)).toMatchObject({ code: 0 });
  }
  expect(await run(place, 'clean')).toMatchObject({ code: 0 });
  await expectUntouched();
});

test('so does one with the history, whose patch fails the check', async () => {
  const wrong = { tool_calls: [call('Write', { file_path: 'total.py', content: 'x =' })] };
  const model = await script(place, wrong, DONE);
  const failed = await run(place, ...fixWords(place, model, '--history', ...VERIFY));
  expect(failed.code).toBe(1);
  await expectUntouched();
});

test('so do one that cannot begin, one that is cancelled, and its resumption', async () => {
  const missing = fixWords(place, 'script:no-such-file');
  expect((await run(place, ...missing)).code).toBe(2);
  await expectUntouched();
  const model = await script(place, FIX, WAIT, DONE);
  const running = start(place, fixWords(place, model, ...VERIFY));
  await running.says('[1] step 1: ');
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(1);
  await expectUntouched();
  const replies = [FIX, DONE].map((reply) => `${JSON.stringify(reply)}\n`);
  await writeFile(model.slice('script:'.length), replies.join(''));
  expect((await run(place, 'resume', await newest())).code).toBe(0);
  await expectUntouched();
});
