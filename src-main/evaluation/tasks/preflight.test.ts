import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appFolder } from '../../lib/index.ts';
import type { TaskCheck } from './check-file.ts';
import { importTasks } from './import/import-tasks.ts';
import { preflightTask, type PreflightMachine } from './preflight.ts';
import { readTask } from './read-task.ts';

const DEMO = path.join(appFolder(), 'resources/tasks/demo/ticket-age');
const BENCH = path.join(appFolder(), 'test/fixtures/tasks/terminal-bench');
const GIB = 2 ** 30;

const LOCAL: Readonly<Record<string, string[]>> = {
  'vivarium-base:latest': [],
  'vivarium-tb-demo:latest': ['tb@sha256:12'],
};
const machine: PreflightMachine = {
  ...{ cpus: 2, memoryBytes: 8 * GIB, diskBytes: 20 * GIB },
  image: (reference) => {
    const digests = LOCAL[reference];
    return Promise.resolve(digests === undefined ? null : { id: `sha256:${reference}`, digests });
  },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'preflight-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a task with all that it needs is ready', async () => {
  const row = await preflightTask(await readTask(DEMO), machine, { ok: true } as TaskCheck);
  expect(row).toEqual({
    task: 'ticket-age',
    ready: true,
    image: { reference: 'vivarium-base:latest', id: 'sha256:vivarium-base:latest', digests: [] },
    dockerfile: 'buildable',
    wantsNetwork: false,
    uses: [],
    packages: [],
    beyond: [],
    checked: true,
    problems: [],
  });
});

test('a verifier that installs things is not ready; one that was replaced is, and names packages', async () => {
  const source = path.join(BENCH, 'count-words');
  const row = await preflightTask(await readTask(source), machine, undefined);
  expect(row).toMatchObject({ ready: false, checked: null, image: { digests: ['tb@sha256:12'] } });
  expect(row.uses.map(({ file, line, what }) => `${file}:${line} ${what}`)).toEqual([
    'tests/test.sh:4 apt',
    'tests/test.sh:5 apt',
    'tests/test.sh:6 curl',
    'tests/test.sh:10 uvx',
  ]);
  const format = 'terminal-bench';
  await importTasks({ format, source: BENCH, out: folder, offlineVerifier: true });
  const replaced = await readTask(path.join(folder, 'count-words'));
  expect(await preflightTask(replaced, machine, undefined)).toMatchObject({
    ready: true,
    uses: [],
    packages: ['pytest-json-ctrf==0.3.5', 'pytest==8.4.1'],
  });
});

test('what is missing is said: image, network, limits, a Dockerfile that reaches out', async () => {
  await importTasks({
    format: 'terminal-bench',
    source: BENCH,
    out: folder,
    offlineVerifier: true,
  });
  const place = path.join(folder, 'count-words');
  const toml = path.join(place, 'task.toml');
  const text = (await readFile(toml, 'utf8'))
    .replace(/docker_image.*\n/, '')
    .replace('cpus = 1', 'cpus = 16')
    .replace('"1G"', '"64G"')
    .replace('allow_internet = false', 'allow_internet = true');
  await writeFile(toml, text);
  const dockerfile = path.join(place, 'environment/Dockerfile');
  const row = async (content: string) => {
    await writeFile(dockerfile, content);
    return preflightTask(await readTask(place), machine, undefined);
  };
  const network = await row(
    'FROM vivarium-base:latest AS one\nFROM one\nRUN true && \\\n  pip install x\n',
  );
  expect(network).toMatchObject({ ready: false, dockerfile: 'needs_network', wantsNetwork: true });
  expect(network.problems).toEqual([
    'its image has to be built from its Dockerfile, and named as docker_image in task.toml; building it needs a network',
    'it asks for a network and gets none',
    'environment/Dockerfile line 4 reaches out (pip install)',
    'it asks for 16 processors, and here are 2',
    'it asks for 64.0 GiB of memory, and here are 8.0 GiB',
  ]);
  expect(await row('FROM --platform=linux/amd64 ubuntu:24.04\n')).toMatchObject({
    dockerfile: 'needs_image',
  });
  expect(await row('FROM scratch\nCOPY a /a\n')).toMatchObject({
    dockerfile: 'buildable',
    ready: false,
  });
});
