/**
 * Makes tasks by `mutate` of six real packages, the fixed releases of `test/real/real-bugs.json`, and
 * prints how many candidates become valid tasks, by package and by mutator. Needs Docker; the sources
 * and the packages of the image are fetched, the rest runs without a network.
 *
 *   node scripts/synth-packages.ts [--target 30] [--workers 2] [--reruns 2] [--seed 1]
 *     [--only NAME,...] [--out .cache/synth-packages] [--page docs/synthesis-measured.md]
 *
 * What is done is not done again: the same call goes on where an earlier one stopped. `--page` writes
 * the tables to a page, and the figures to a JSON file beside it.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createCore, type Core } from '../src-main/core/index.ts';
import { fixedRelease, readBugs, type RealBug } from '../test/real/build-repository.ts';
import { fetchFixtures } from './fetch-fixtures.mjs';
import { buildImage } from './images.mjs';
import { inspectImage } from './images/docker.mjs';
import { tablesOf, type Measured } from './synth-packages/tables.ts';

/** Of the test image, with what more tests of PyJWT import. */
const IMAGE = 'vivarium-packages:latest';
const EXTRA_PACKAGES = ['python3-cryptography'];
const COMMAND = 'python3 -m pytest -q';
const LOAD_EVERY_MS = 10_000;
const PAGE = `# Tasks of real packages: figures

Made by \`node scripts/synth-packages.ts --page docs/synthesis-measured.md\`; the same figures as JSON
lie beside this page. The packages are those of \`test/real/real-bugs.json\` at their fixed releases,
their tests run by \`${COMMAND}\` in the test image with ${EXTRA_PACKAGES.join(', ')}.

The load is the machine's mean load while the tasks were made: over the number of its cores, other
work slowed them down. Time in tests is the share of all workers' time. Where a call was stopped and
gone on with, seconds, speed and load are those of the last one.

`;

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    reruns: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    out: { type: 'string', default: path.join(import.meta.dirname, '../.cache/synth-packages') },
    page: { type: 'string' },
  },
});
const out = path.resolve(values.out);
const [target, workers, reruns, seed] = [
  values.target,
  values.workers,
  values.reruns,
  values.seed,
].map(Number) as [number, number, number, number];

await mkdir(out, { recursive: true });
await fetchFixtures();
if ((await inspectImage(IMAGE)) === undefined) {
  await buildImage('test', { extraPackages: EXTRA_PACKAGES, tag: IMAGE, onProgress: say });
}
const wanted = values.only?.split(',');
const all = await readBugs();
const bugs = all.filter((bug) => wanted?.includes(bug.package) ?? true);
const measured: Measured[] = [];
const core = createCore({ home: path.join(out, 'home'), env: process.env });
try {
  for (const bug of bugs) measured.push(await measuredOf(core, bug));
} finally {
  await core.close();
}
const tables = tablesOf(measured);
process.stdout.write(tables);
if (values.page !== undefined) await writePage(values.page, tables);

/** What was measured of a package earlier, or now. */
async function measuredOf(core: Core, bug: RealBug): Promise<Measured> {
  const file = path.join(out, `${bug.package}.json`);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Measured;
  const found = await synthOf(core, bug);
  await writeFile(file, `${JSON.stringify(found, undefined, 1)}\n`);
  return found;
}

async function synthOf(core: Core, bug: RealBug): Promise<Measured> {
  const { package: name, fixed: version } = bug;
  const repository = path.join(out, 'repositories', name);
  if (!existsSync(repository)) await fixedRelease(bug, repository);
  const loads: number[] = [];
  const timer = setInterval(() => loads.push(os.loadavg()[0] ?? 0), LOAD_EVERY_MS);
  let tests: { steady: number; coveredFiles: number | null } = { steady: 0, coveredFiles: null };
  try {
    const report = await core.synthesis.tasks({
      ...{ repository, out: path.join(out, 'tasks', name), generators: ['mutate'] },
      ...{ target, workers, reruns, seed, image: IMAGE, verify: COMMAND },
      onProgress: (progress) => {
        if (progress.kind === 'baseline') tests = progress;
        if (progress.kind !== 'tried') return;
        say(`${name}: ${progress.validated} of ${target} (${progress.tried.method})`);
      },
    });
    const load = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
    const { steady, coveredFiles } = tests;
    const day = new Date().toISOString().slice(0, 10);
    const cores = os.availableParallelism();
    return {
      ...{ package: name, version, day, command: COMMAND, seed, reruns },
      ...{ steady, coveredFiles, cores, load, report },
    };
  } finally {
    clearInterval(timer);
  }
}

async function writePage(page: string, tables: string): Promise<void> {
  const left = all.flatMap((bug) => (bugs.includes(bug) ? [] : bug.package)).join(', ');
  await writeFile(page, `${PAGE}${tables}${left === '' ? '' : `\nNot measured yet: ${left}.\n`}`);
  const json = page.replace(/\.md$/, '') + '.json';
  await writeFile(json, `${JSON.stringify(measured, undefined, 1)}\n`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
