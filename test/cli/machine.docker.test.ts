import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { doctorRowSchema, sessionResultSchema } from '../../src-main/contract/index.ts';
import { BUSYBOX_IMAGE } from '../support/workspaces.ts';
import {
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
  start,
  WAIT,
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

/** A session that has a patch; returns its result. */
async function fixed(...more: string[]) {
  const words = fixWords(place, await script(place, FIX, DONE), '--json', ...more);
  const { code, stdout, stderr } = await run(place, ...words);
  if (code !== 0) throw new Error(stderr);
  return sessionResultSchema.parse(JSON.parse(stdout));
}

describe('export', () => {
  test('mbox: git am takes it and gives the tree of the patch', async () => {
    const { sessionId, patch } = await fixed();
    const out = path.join(place.folder, 'mail');
    const { stdout } = await run(place, 'export', sessionId, '--out', out, '--format', 'mbox');
    const treeAfter = async (name: string, ...words: string[]): Promise<string> => {
      const clone = path.join(place.folder, name);
      await execute('git', ['clone', '-q', place.repository, clone]);
      await git(clone, ...words);
      await git(clone, 'add', '--all');
      return git(clone, 'write-tree');
    };
    const tree = await treeAfter('mailed', 'am', '-q', stdout.trimEnd());
    expect(tree).toBe(await treeAfter('patched', 'apply', patch?.file ?? ''));
    const subject = ['log', '-1', '--format=%s|%an'];
    expect(await git(path.join(place.folder, 'mailed'), ...subject)).toBe(
      'The total is one too high.|Vivarium\n',
    );
  });

  test('P08: leaf has a trajectory for every attempt, and no empty patch file', async () => {
    const model = await script(place, { content: 'All is well.' });
    const { code, stdout } = await run(place, ...fixWords(place, model, '--json'));
    const { sessionId } = sessionResultSchema.parse(JSON.parse(stdout));
    const out = path.join(place.folder, 'leaf');
    const exported = await run(place, 'export', sessionId, '--out', out, '--format', 'leaf');
    const file = path.join(out, 'trajectories', sessionId, 'trajectory_seed-1.json');
    expect([code, exported.code, exported.stdout]).toEqual([1, 0, `${file}\n`]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      trajectory_format: 'leaf-function-calling',
      seed: 1,
      exit_reason: 'agent',
      output_patch: '',
    });
    for (const format of ['patch', 'mbox']) {
      const refused = await run(place, 'export', sessionId, '--out', out, '--format', format);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^error: .*nothing was changed\nnext: .+\n$/);
    }
  });
});

describe('doctor', () => {
  test('a row for all that is looked at, each with its state, and a remedy unless it is well', async () => {
    const { stdout } = await run(place, 'doctor', '--json');
    const rows = z.array(doctorRowSchema).parse(JSON.parse(stdout));
    expect(rows.map(({ name }) => name)).toEqual([
      ...['docker', 'runtime', 'cgroup', 'image', 'git', 'disk', 'memory', 'gpu'],
      ...['engine llamacpp', 'engine vllm', 'engine sglang', 'engine llama-server'],
    ]);
    for (const { name, state, found, remedy } of rows) {
      expect([name, found !== '', remedy === null]).toEqual([name, true, state === 'ok']);
    }
    const found = (name: string) => rows.find((row) => row.name === name)?.found;
    expect(found('docker')).toMatch(/^Docker \d+\.\d+/);
    expect(found('runtime')).toContain('runc');
    expect(found('cgroup')).toMatch(/^version [12], memory limits on, process limits on$/);
    expect(found('git')).toMatch(/^\d+\.\d+/);
  });
});

describe('clean', () => {
  const clean = async (): Promise<unknown> =>
    JSON.parse((await run(place, 'clean', '--json')).stdout);

  test('takes what dead owners left and snapshots of ended sessions; the record stays', async () => {
    await clean();
    const { sessionId } = await fixed();
    const model = await script(place, FIX, WAIT);
    const cut = start(place, fixWords(place, model));
    await cut.says('[1] step 1: ');
    const [running] = await sessionsOf(place);
    const filter = `label=vivarium.session=${running?.sessionId}`;
    const container = await docker('ps', '-q', '--no-trunc', '--filter', filter);
    const labels = z
      .record(z.string(), z.string())
      .parse(JSON.parse(await docker('inspect', '-f', '{{json .Config.Labels}}', container)));
    const words = Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
    expect(await clean()).toMatchObject({ containers: 0, volumes: 0, snapshots: 1 });
    expect(await docker('ps', '-q', '--no-trunc', '--filter', filter)).toBe(container);
    cut.kill('SIGKILL');
    await cut.ended;
    await expect.poll(() => docker('ps', '-aq', '--filter', filter), { timeout: 10_000 }).toBe('');
    // By then the process that tidies up after a killed app has ended.
    await sleep(6_000);
    // What would be left after the machine lost power: the same labels, and nobody behind them.
    await docker('create', '--network', 'none', ...words, BUSYBOX_IMAGE, 'true');
    await docker('volume', 'create', ...words);
    const none = { snapshots: 0, bytes: 0, servers: { ended: [], forgotten: [] } };
    expect(await clean()).toEqual({ containers: 1, volumes: 1, ...none });
    expect(await clean()).toEqual({ containers: 0, volumes: 0, ...none });

    const shown = await run(place, 'show', sessionId, '--patch');
    expect(shown.stdout).toContain('+    return sum(items)\n');
    // An interrupted session keeps its snapshot, since it can go on.
    const replies = [FIX, DONE].map((reply) => `${JSON.stringify(reply)}\n`).join('');
    await writeFile(model.slice('script:'.length), replies);
    const resumed = await run(place, 'resume', running?.sessionId ?? '');
    expect([resumed.code, resumed.stdout.split('\n')[0]]).toEqual([
      0,
      'There is a patch; no verification was asked for.',
    ]);
    expect((await run(place, 'clean')).stdout).toMatch(
      /^Removed 0 containers, 0 volumes, 1 snapshot \(/,
    );
    expect((await run(place, 'clean')).stdout).toBe('There was nothing to clean.\n');
  });
});

describe('images', () => {
  test('import: an archive of `docker save` brings its image, and fix works in it', async () => {
    const image = 'vivarium-test-import:1';
    const archive = path.join(place.folder, 'image.tar');
    await docker('tag', BUSYBOX_IMAGE, image);
    onTestFinished(async () => void (await docker('image', 'rm', image)));
    await docker('save', '--output', archive, image);
    await docker('image', 'rm', image);
    expect(await run(place, 'images', 'import', archive)).toMatchObject({
      code: 0,
      stdout: `${image}\n`,
    });
    const listed = await run(place, 'images', 'list');
    expect(listed.stdout).toMatch(new RegExp(` ${image}$`, 'm'));
    expect((await fixed('--image', image)).outcome).toBe('patched');
  });

  test('build --package: the base image with more Debian packages, under a tag of its own', async () => {
    const tag = 'vivarium-test-build:1';
    onTestFinished(async () => void (await docker('image', 'rm', '--force', tag)));
    const words = ['images', 'build', '--tag', tag, '--package', 'make'];
    const { code, stdout, stderr } = await run(place, ...words);
    expect([code, stdout]).toEqual([0, `${tag}\n`]);
    expect(stderr).toMatch(/^downloading make$/m);
    const version = await docker('run', '--rm', '--network', 'none', tag, 'make', '--version');
    expect(version).toMatch(/^GNU Make/);
    const wrong = await run(place, 'images', 'build', '--tag', tag, '--package', 'no-such-thing');
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/\nerror: .*no-such-thing.*\nnext: .+\n$/);
  });
});
