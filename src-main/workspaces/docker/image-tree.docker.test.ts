import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUSYBOX_IMAGE, openBench, textOf, type Bench } from '../../../test/support/workspaces.ts';
import { imageConfig, imageTree, listOwned, type ImageTreeOptions } from '../index.ts';

const IMAGE = 'vivarium-test-tree:latest';
const MAKE = [
  'mkdir -p /app/sub/.git /app/.git/objects /app/empty',
  'echo one >/app/one; chmod 755 /app/one; ln /app/one /app/sub/twin; ln -s ../.. /app/up',
  'echo x >/app/.git/HEAD; echo x >/app/sub/.git/HEAD; mkfifo /app/pipe',
  'printf "a\\r\\n" >"/app/new\nline"; touch "/app/$(printf "l\\351")"; touch /app/big',
  'dd if=/dev/zero of=/app/big bs=1000 count=3 2>/dev/null',
].join(' && ');

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  const container = await bench.engine.docker.createContainer({
    Image: BUSYBOX_IMAGE,
    Cmd: ['sh', '-c', MAKE],
    HostConfig: { NetworkMode: 'none' },
  });
  await container.start();
  await container.wait();
  await container.commit({
    repo: 'vivarium-test-tree',
    tag: 'latest',
    changes: 'ENV PATH=/opt/bin:/bin X=a=b\nWORKDIR /app\nVOLUME /app\nUSER nobody',
  });
  await container.remove({ force: true });
});
afterAll(async () => {
  await bench.engine.docker.getImage(IMAGE).remove({ force: true });
  await bench.dispose();
});

function tree(options: Partial<ImageTreeOptions> = {}, folder = '/app') {
  return imageTree(bench.engine, IMAGE, folder, { owner: bench.owner, ...options });
}

async function found(options: Partial<ImageTreeOptions> = {}, folder = '/app') {
  const entries: [string, string, string][] = [];
  for await (const { path, mode, content } of tree(options, folder)) {
    entries.push([path, mode, Buffer.from(content).toString('latin1').slice(0, 10)]);
  }
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function remains(): Promise<number> {
  const owned = await listOwned(bench.engine, bench.home);
  return owned.containers.length + owned.volumes.length;
}

test('W04 the files below a folder of an image, without history and without what cannot travel', async () => {
  const refused: [string, string][] = [];
  const entries = await found({
    onRefused: (...one) => refused.push(one),
    limits: { fileBytes: 2_000 },
  });
  expect(entries).toEqual([
    ['empty', '40000', ''],
    ['new\nline', '100644', 'a\r\n'],
    ['one', '100755', 'one\n'],
    ['sub', '40000', ''],
    ['sub/twin', '100755', 'one\n'],
    ['up', '120000', '../..'],
  ]);
  expect(refused.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ['./l\ufffd', 'its name cannot be carried'],
    ['big', 'it is larger than a file may be (2.9 KiB)'],
    ['pipe', 'it is a pipe or device'],
  ]);
  expect(await remains()).toBe(0);
});

test('W01 a folder that is not there, a limit, an end half way: each leaves nothing', async () => {
  await expect(found({}, '/nowhere')).rejects.toMatchObject({ code: 'image_unusable' });
  await expect(found({}, '/app/one')).rejects.toMatchObject({ code: 'image_unusable' });
  await expect(found({ limits: { files: 3 } })).rejects.toMatchObject({ code: 'image_unusable' });
  await expect(found({ limits: { totalBytes: 3 } })).rejects.toMatchObject({
    message: '/app of vivarium-test-tree:latest is too large for a workspace: more than 3 B.',
  });
  await expect(found({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  for await (const entry of tree()) {
    expect(entry.path).not.toBe('');
    break;
  }
  const missing = imageTree(bench.engine, 'none:such', '/app', { owner: bench.owner });
  await expect(missing.next()).rejects.toMatchObject({ code: 'image_missing' });
  expect(await remains()).toBe(0);
});

test('an image tree is a seed: it lies where the task says, with what the image says of itself', async () => {
  const facts = await imageConfig(bench.engine, IMAGE);
  expect(facts).toMatchObject({ workdir: '/app', user: 'nobody' });
  expect(facts.env).toMatchObject({ PATH: '/opt/bin:/bin', X: 'a=b' });
  const workspace = await bench.open({ image: IMAGE, root: facts.workdir, seed: tree() });
  const ran = await workspace.run({ command: 'ls; cat sub/twin', shell: 'sh', timeoutMs: 10_000 });
  expect(textOf(ran.stdout)).toBe('big\nempty\nnew?line\none\nsub\nup\none\n');
  await workspace.close();
  expect(await remains()).toBe(0);
});
