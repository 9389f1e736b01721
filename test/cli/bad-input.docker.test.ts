import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  call,
  docker,
  DONE,
  FIX,
  fixWords,
  git,
  leftovers,
  makePlace,
  removePlace,
  run,
  script,
  sessionsOf,
  type Place,
} from './command.ts';

const execute = promisify(execFile);

let place: Place;
beforeAll(async () => {
  place = await makePlace();
});
afterEach(async () => {
  const left = await leftovers(place);
  if (left.length > 0) throw new Error(`left behind: ${left.join(' ')}`);
});
afterAll(() => removePlace(place));

describe('bad input: a cause on one line, the next step, the right exit code, nothing left', () => {
  /** How it ends: the exit code, and what is said from `error:` on. */
  async function ending(...words: string[]): Promise<[number | null, string]> {
    const before = await sessionsOf(place);
    const { code, stdout, stderr } = await run(place, ...words);
    expect([stdout, await sessionsOf(place)]).toEqual(['', before]);
    return [code, stderr.slice(stderr.indexOf('error: '))];
  }
  const told = (code: number, cause: RegExp) => [code, expect.stringMatching(cause) as string];

  test('a GGUF that cannot be read', async () => {
    const text = path.join(place.folder, 'text.gguf');
    const folder = path.join(place.folder, 'folder.gguf');
    const cut = path.join(place.folder, 'cut.gguf');
    await writeFile(text, 'this is no model');
    await mkdir(folder);
    await writeFile(cut, 'GGUF\x03\0\0\0');
    expect(await ending(...fixWords(place, `gguf:${text}`))).toEqual(
      told(2, /^error: .*text\.gguf is not a GGUF file.*\nnext: .+\n$/),
    );
    expect(await ending(...fixWords(place, `gguf:${folder}`))).toEqual(
      told(2, /^error: .*folder\.gguf is a folder.*\nnext: .+\n$/),
    );
    expect(await ending(...fixWords(place, `gguf:${cut}`))).toEqual(
      told(2, /^error: .*is cut off or damaged\.\nnext: Copy or download .+\n$/),
    );
  });

  test('an endpoint that refuses the key, and one that is no model server', async () => {
    let answer = 401;
    const server = createServer((_request, response) => {
      response.writeHead(answer, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"wrong key"}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#frog`;
    expect(await ending(...fixWords(place, model))).toEqual(
      told(3, /^error: .* refused access: 401: wrong key\nnext: .*VIVARIUM_API_KEY.*\n$/),
    );
    answer = 200;
    expect(await ending(...fixWords(place, model))).toEqual(
      told(3, /^error: .* does not answer like a model server.*\nnext: .+\n$/),
    );
  });

  test('an image without a shell: the session fails with the cause, and leaves nothing', async () => {
    const image = 'vivarium-test-bare:1';
    const tar = path.join(place.folder, 'bare.tar');
    await execute('tar', ['-cf', tar, '-C', place.repository, 'total.py']);
    await docker('import', tar, image);
    onTestFinished(async () => void (await docker('image', 'rm', image)));
    const model = await script(place, FIX, DONE);
    const words = ['--verify', 'true', '--image', image];
    const { code, stdout, stderr } = await run(place, ...fixWords(place, model, ...words));
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /\nerror: The image vivarium-test-bare:1 cannot be a workspace: [^\n]+\nnext: Use an image with a POSIX shell [^\n]+\n$/,
    );
    const snapshots = await readdir(path.join(place.home, 'snapshots'));
    expect([snapshots, (await sessionsOf(place))[0]?.state]).toEqual([[], 'failed']);
  });

  test('a repository without files, and one whose only commit is empty', async () => {
    const repository = path.join(place.folder, 'hollow');
    await mkdir(repository);
    await git(repository, 'init', '-q');
    await git(repository, 'commit', '-q', '--allow-empty', '-m', 'nothing');
    const made = call('Write', { file_path: 'a.py', content: 'x = 1\n' });
    const model = await script(place, { content: '', tool_calls: [made] }, DONE);
    const { code, stdout } = await run(place, ...fixWords({ ...place, repository }, model));
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'There is a patch; no verification was asked for.',
    ]);
  });
});
