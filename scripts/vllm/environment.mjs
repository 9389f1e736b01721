/**
 * A real vLLM without a GPU, for tests: a virtual environment of 5 GB and two models of a megabyte
 * under `.cache/vllm`. Nothing is left to do when the stamp says that all is as asked for; without
 * a stamp the folder is half-made and the next run goes on with it.
 *
 *   node scripts/vllm/environment.mjs [--why]
 *
 * Exit codes: 0 all is there, 1 something is missing (`--why`), 2 wrong usage, 3 the machine lacks
 * something that only its owner can give.
 */
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { isMain } from '../setup/files.mjs';
import { withLock } from '../setup/lock.mjs';
import { EnvironmentProblem, createReporter, explain } from '../setup/report.mjs';
import { lastLine, run } from '../setup/run.mjs';
import { installPackages, writeVersionMetadata } from './packages.mjs';
import { VLLM_VERSION, placesIn, readStamp, wantedModels } from './places.mjs';
import { wantedPackages, whyNoVllm } from './places.mjs';
import { ensurePython } from './python.mjs';

/** The environment and what pip needs beside it while it unpacks, with some air. */
const NEEDED_BYTES = 7.5e9;

/**
 * @param {import('../setup/report.mjs').Reporter} [reporter]
 * @param {import('./places.mjs').Places} [places]
 * @throws {EnvironmentProblem}
 */
export async function ensureVllm(reporter = createReporter(), places = placesIn()) {
  mkdirSync(places.folder, { recursive: true });
  const lock = path.join(places.folder, 'making.pid');
  await withLock(reporter, () => make(reporter, places), lock);
}

/** @param {import('../setup/report.mjs').Reporter} reporter @param {import('./places.mjs').Places} places */
async function make(reporter, places) {
  const step = reporter.begin(`vLLM ${VLLM_VERSION} for the CPU`);
  const reason = whyNoVllm(places);
  if (reason === undefined) {
    step.done('present');
    return;
  }
  const had = readStamp(places);
  rmSync(places.stamp, { force: true });
  if (had['packages'] !== wantedPackages() || !existsSync(places.program)) {
    if (had['packages'] !== undefined) rmSync(places.venv, { recursive: true, force: true });
    await makeEnvironment(places, step);
  }
  step.update('making the models');
  const models = await makeModels(places);
  const made = { packages: wantedPackages(), models: wantedModels(), vllm: VLLM_VERSION };
  writeFileSync(places.stamp, `${JSON.stringify(made, null, 2)}\n`);
  step.done(`made (${reason}); ${models}`);
}

/** @param {import('./places.mjs').Places} places @param {import('../setup/report.mjs').Step} step */
async function makeEnvironment(places, step) {
  const free = statfsSync(places.folder);
  const freeBytes = free.bavail * free.bsize;
  if (!existsSync(places.marks) && freeBytes < NEEDED_BYTES) {
    throw new EnvironmentProblem(
      `vLLM's environment needs ${NEEDED_BYTES / 1e9} GB, ${(freeBytes / 1e9).toFixed(1)} GB are free`,
      [`Free some space on the disk of ${places.folder}, then run this command again.`],
    );
  }
  const python = await ensurePython(step);
  step.update(`virtual environment with Python ${python.version}`);
  // Also over a half-made one: it mends what is missing and leaves packages alone.
  const venv = await run(python.program, ['-m', 'venv', places.venv]);
  if (venv.code !== 0) {
    throw new EnvironmentProblem(`no virtual environment could be made: ${lastLine(venv)}`, [
      `Look at it by hand: ${python.program} -m venv ${places.venv}`,
    ]);
  }
  await installPackages(places, step);
  await writeVersionMetadata(places);
  step.update('looking whether it starts');
  const asked = await run(places.program, ['--version'], { env: cleanEnvironment() });
  if (asked.code !== 0 || !asked.stdout.includes(VLLM_VERSION)) {
    throw new EnvironmentProblem(`vLLM is installed but does not start: ${lastLine(asked)}`, [
      `Look at it by hand: ${places.program} --version`,
      `Remove ${places.venv} and run this command again to make it anew.`,
    ]);
  }
}

/** What a person has set for another Python does not reach this one. */
function cleanEnvironment() {
  return { ...process.env, PYTHONPATH: '', PYTHONHOME: undefined, PYTHONDONTWRITEBYTECODE: '' };
}

/** @param {import('./places.mjs').Places} places @returns {Promise<string>} what was made */
async function makeModels(places) {
  const script = path.join(import.meta.dirname, '..', 'make-tiny-models.py');
  const made = await run(places.python, [script, places.models], { env: cleanEnvironment() });
  if (made.code !== 0) {
    throw new EnvironmentProblem(`the tiny models could not be made: ${lastLine(made)}`, [
      `Look at it by hand: ${places.python} ${script} ${places.models}`,
    ]);
  }
  return made.stdout.trim().replaceAll('\n', '; ');
}

async function main() {
  const reporter = createReporter();
  const [flag, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (flag !== undefined && flag !== '--why')) {
    reporter.line('usage: scripts/vllm-cpu.sh [--why]');
    return 2;
  }
  if (flag === '--why') {
    const reason = whyNoVllm();
    reporter.line(reason === undefined ? 'vLLM is there' : `vLLM is not usable: ${reason}`);
    return reason === undefined ? 0 : 1;
  }
  try {
    await ensureVllm(reporter);
    return 0;
  } catch (error) {
    return explain(error, reporter);
  }
}

if (isMain(import.meta.filename)) process.exitCode = await main();
