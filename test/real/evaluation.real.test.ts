import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src-main/store/index.ts';
import { processesNaming } from './leftovers.ts';
import { scriptedSet, SETS } from './scripted-sets.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMAND = path.join(ROOT, 'scripts', 'vivarium.mjs');
const IMAGE = process.env['VIVARIUM_REAL_IMAGE'] ?? 'vivarium-test:latest';

let folder: string;
let home: string;
let tasks: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vivarium-real-eval-'));
  home = path.join(folder, 'home');
  tasks = path.join(folder, 'tasks');
  await mkdir(path.join(folder, 'tmp'));
  const list = path.join(import.meta.dirname, 'real-bugs.json');
  const sdists = path.join(ROOT, '.cache', 'sdists');
  await vivarium(
    'tasks',
    'from-releases',
    list,
    '--sdists',
    sdists,
    '--image',
    IMAGE,
    '--out',
    tasks,
  );
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command as a person would, with its own data and temporary folders. */
async function vivarium(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, ...args], {
    env: { VIVARIUM_HOME: home, TMPDIR: path.join(folder, 'tmp') },
    cwd: folder,
    reject: false,
    timeout: 600_000,
  });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/** Solved and outcome of each task, by entry, from the record. */
function cellsByEntry() {
  const store = openStore(path.join(home, 'vivarium.db'));
  try {
    const [run] = store.runs();
    const { entries } = run ?? { entries: [] };
    const cells = store.cells(run?.runId ?? '');
    return entries.map((entry, at) => {
      const own = cells.filter((cell) => cell.entry === at);
      const broken = own.filter(({ grading }) => (grading?.passToPass?.unmet.length ?? 0) > 0);
      return {
        entry,
        ...{ cells: own.length, resolved: own.filter((cell) => cell.resolved).length },
        infra: own.filter(({ state }) => state === 'infra').length,
        broken: broken.map(({ task }) => task).toSorted(),
      };
    });
  } finally {
    store.close();
  }
}

const result = (entry: string, resolved: number, broken: string[] = []) => ({
  ...{ entry, cells: 6, resolved, infra: 0, broken },
});

it('six real bugs with Leaf: models that solve 6, 4 with two regressions, and none', async () => {
  const scripts = await Promise.all(SETS.map((set) => scriptedSet(set, 'leaf', folder)));
  const models = scripts.map((file) => `script:${file}`).join(',');
  await vivarium(
    'eval',
    'run',
    '--tasks',
    tasks,
    '--model',
    models,
    '--seeds',
    '1',
    '--workers',
    '2',
  );
  expect(cellsByEntry()).toEqual([
    result('six-leaf x leaf', 6),
    result('four-leaf x leaf', 4, ['pathspec-84', 'pyjwt-issuer']),
    result('none-leaf x leaf', 0),
  ]);
  expect(await processesNaming(folder)).toEqual([]);
  expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
});

it('the same with R2E-Gym', async () => {
  const scripts = await Promise.all(SETS.map((set) => scriptedSet(set, 'r2egym', folder)));
  const models = scripts.map((file) => `script:${file}`).join(',');
  const flags = ['--scaffold', 'r2egym', '--seeds', '1', '--workers', '2'];
  await vivarium('eval', 'run', '--tasks', tasks, '--model', models, ...flags);
  expect(cellsByEntry()).toEqual([
    result('six-r2egym x r2egym', 6),
    result('four-r2egym x r2egym', 4, ['pathspec-84', 'pyjwt-issuer']),
    result('none-r2egym x r2egym', 0),
  ]);
});
