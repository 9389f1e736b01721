#!/usr/bin/env node
/**
 * `npm test`: sets the machine up, runs the fast checks, then all tests, and closes with one line
 * that adds everything up. Each check counts as one test.
 *
 *   node scripts/test.mjs [--only checks,unit,docker,app,model,real,vllm] [FILTER...]
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { bootstrap } from './bootstrap.mjs';
import { whyNoBrowser } from './setup/browser.mjs';
import { ROOT, readText } from './setup/files.mjs';
import { createReporter, explain } from './setup/report.mjs';
import { NOTHING, addCounts, closingLine, countVitest, failuresOf } from './testing/count.mjs';
import { CHECKS, STAGES, parseStages } from './testing/stages.mjs';
import { countSkipped, decideVllm } from './testing/vllm-stage.mjs';
import { ensureVllm } from './vllm/environment.mjs';
import { whyNoVllm } from './vllm/places.mjs';

const BIN = path.join(ROOT, 'node_modules', '.bin');
const REPORTS = path.join(ROOT, '.cache', 'test-reports');

/** @typedef {import('./testing/count.mjs').Count} Count */

/** What failed in any stage, said again at the end. @type {string[]} */
const failures = [];

/**
 * @typedef {object} Run
 * @property {import('./testing/stages.mjs').StageName[]} stages
 * @property {string[]} rest for vitest
 * @property {boolean} chosen whether the stages were named on the command line
 * @property {import('./setup/report.mjs').Reporter} reporter
 */

/**
 * Runs a program on the pinned Node with its output on ours.
 *
 * @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} exit code
 */
function stream(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(path.join(BIN, program), args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 128));
  });
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Count>} */
async function runChecks(env) {
  const counts = [];
  for (const { title, program, args } of CHECKS) {
    const startedAt = performance.now();
    const code = await stream(program, args, env);
    if (code !== 0) failures.push(`check ${title}`);
    console.log(`check ${title}: ${code === 0 ? 'passed' : 'FAILED'}${since(startedAt)}`);
    counts.push({ ...NOTHING, [code === 0 ? 'passed' : 'failed']: 1 });
  }
  return addCounts(counts);
}

/** @param {string} project @param {string[]} rest @param {NodeJS.ProcessEnv} env @returns {Promise<Count>} */
async function runProject(project, rest, env) {
  const report = path.join(REPORTS, `${project}.json`);
  rmSync(report, { force: true });
  const code = await stream(
    'vitest',
    [
      ...['run', '--project', project, '--reporter=default', '--reporter=json'],
      ...[`--outputFile.json=${report}`, ...rest],
    ],
    env,
  );
  const text = readText(report);
  failures.push(...failuresOf(text));
  return countVitest(text, code);
}

/**
 * Tests against a real vLLM: makes the environment where that is wanted, or says why they are left
 * out.
 *
 * @param {Run} run @param {NodeJS.ProcessEnv} env @returns {Promise<Count>}
 */
async function runVllm({ rest, chosen, reporter }, env) {
  const decision = decideVllm({
    missing: whyNoVllm(),
    chosen,
    inCi: process.env['CI'] === 'true',
    elapsedMs: performance.now(),
  });
  if (!decision.run) {
    console.log(decision.why);
    return countListed('vllm', env);
  }
  try {
    if (decision.make) await ensureVllm(reporter);
  } catch (error) {
    explain(error, reporter);
    return { ...NOTHING, failed: 1 };
  }
  return runProject('vllm', rest, env);
}

/**
 * Tests in a browser, on pages of these sources, or one line that says why they are left out.
 *
 * @param {Run} run @param {NodeJS.ProcessEnv} env @returns {Promise<Count>}
 */
async function runApp({ rest }, env) {
  const missing = whyNoBrowser();
  if (missing !== undefined) {
    console.log(`app: SKIPPED, ${missing}. On Debian: sudo apt-get install chromium`);
    return countListed('app', env);
  }
  if ((await stream('electron-vite', ['build', '--logLevel', 'warn'], env)) !== 0) {
    console.log('app: the pages do not build');
    return { ...NOTHING, failed: 1 };
  }
  return runProject('app', rest, env);
}

/** @param {string} project @param {NodeJS.ProcessEnv} env @returns {Promise<Count>} all skipped */
async function countListed(project, env) {
  const list = path.join(REPORTS, `${project}-list.json`);
  rmSync(list, { force: true });
  const code = await stream('vitest', ['list', '--project', project, `--json=${list}`], env);
  return countSkipped(readText(list), code);
}

/**
 * @param {import('./testing/stages.mjs').StageName} stage @param {Run} run
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Count>}
 */
function runStage(stage, run, env) {
  if (stage === 'checks') return runChecks(env);
  if (stage === 'app') return runApp(run, env);
  return stage === 'vllm' ? runVllm(run, env) : runProject(stage, run.rest, env);
}

/** @param {number} startedAt */
function since(startedAt) {
  return ` (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
}

/** @param {Run} run @returns {Promise<Count>} */
async function runStages(run) {
  mkdirSync(REPORTS, { recursive: true });
  // Whatever a test forgets to set, the sessions of the person at this machine stay untouched.
  const home = mkdtempSync(path.join(REPORTS, 'home-'));
  const env = {
    ...process.env,
    PATH: `${BIN}${path.delimiter}${process.env['PATH']}`,
    VIVARIUM_HOME: home,
    ELECTRON_MAJOR_VER: '45',
  };
  const counts = [];
  try {
    for (const stage of run.stages) {
      const startedAt = performance.now();
      console.log(`\n== ${stage}`);
      const count = await runStage(stage, run, env);
      const { passed, failed, skipped } = count;
      const left = skipped === 0 ? '' : `, ${skipped} skipped`;
      console.log(`== ${stage}: ${passed} passed, ${failed} failed${left}${since(startedAt)}`);
      counts.push(count);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return addCounts(counts);
}

async function main() {
  const parsed = parseStages(process.argv.slice(2));
  if (parsed === undefined) {
    console.error(`usage: node scripts/test.mjs [--only ${STAGES.join(',')}] [FILTER...]`);
    return 2;
  }
  const reporter = createReporter();
  try {
    await bootstrap('test', reporter);
  } catch (error) {
    const code = explain(error, reporter);
    console.log(`\n${closingLine({ ...NOTHING, failed: 1 })}`);
    return code;
  }
  const total = await runStages({ ...parsed, reporter });
  if (failures.length > 0) console.log(`\n== failed\n${failures.join('\n')}`);
  console.log(`\n${closingLine(total)}`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

// Ctrl-C ends the running stage by itself; the sum is still printed.
process.on('SIGINT', () => {});
process.exitCode = await main();
