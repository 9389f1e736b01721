#!/usr/bin/env node
/**
 * `npm test`: sets the machine up, runs the fast checks, then all tests, and closes with one line
 * that adds everything up. Each check counts as one test.
 *
 *   node scripts/test.mjs [--only checks,unit,docker,model,real] [FILTER...]
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { bootstrap } from './bootstrap.mjs';
import { ROOT, readText } from './setup/files.mjs';
import { createReporter, explain } from './setup/report.mjs';
import { NOTHING, addCounts, closingLine, countVitest } from './testing/count.mjs';
import { CHECKS, STAGES, parseStages } from './testing/stages.mjs';

const BIN = path.join(ROOT, 'node_modules', '.bin');
const REPORTS = path.join(ROOT, '.cache', 'test-reports');

/** @typedef {import('./testing/count.mjs').Count} Count */

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
  return countVitest(readText(report), code);
}

/** @param {number} startedAt */
function since(startedAt) {
  return ` (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
}

/** @param {import('./testing/stages.mjs').StageName[]} stages @param {string[]} rest */
async function runStages(stages, rest) {
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
    for (const stage of stages) {
      const startedAt = performance.now();
      console.log(`\n== ${stage}`);
      const count = await (stage === 'checks' ? runChecks(env) : runProject(stage, rest, env));
      console.log(`== ${stage}: ${count.passed} passed, ${count.failed} failed${since(startedAt)}`);
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
  const total = await runStages(parsed.stages, parsed.rest);
  console.log(`\n${closingLine(total)}`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

// Ctrl-C ends the running stage by itself; the sum is still printed.
process.on('SIGINT', () => {});
process.exitCode = await main();
