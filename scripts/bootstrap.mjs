#!/usr/bin/env node
/**
 * Everything a fresh machine lacks, in order: npm packages, Debian packages, a Docker daemon, the
 * workspace images, the test fixtures. Runs on Node 20 with Node's own modules only, repairs what
 * an interrupted run left, and does nothing when nothing is missing.
 *
 *   node scripts/bootstrap.mjs [--for demo|test|cli]
 *
 * Exit codes: 0 all is there, 2 wrong usage, 3 the machine lacks something that only its owner can
 * give.
 */
import process from 'node:process';
import { fetchFixtures, fixturesMissing } from './fetch-fixtures.mjs';
import { ensureImage, readRecipes } from './images.mjs';
import { ensureBrowser } from './setup/browser.mjs';
import { dockerAnswers, ensureDaemon } from './setup/daemon.mjs';
import { ensureDebianPackages } from './setup/debian.mjs';
import { isMain } from './setup/files.mjs';
import { withLock } from './setup/lock.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { createReporter, explain } from './setup/report.mjs';

/** @typedef {'demo' | 'test' | 'cli'} Purpose */

/** @type {Record<Purpose, { images: import('./images.mjs').ImageName[], fixtures: boolean, browser?: boolean }>} */
const PURPOSES = {
  cli: { images: ['base'], fixtures: false },
  demo: { images: ['base'], fixtures: false },
  test: { images: ['base', 'test', 'busybox'], fixtures: true, browser: true },
};

/**
 * @param {Purpose} purpose
 * @param {import('./setup/report.mjs').Reporter} [reporter]
 * @throws {import('./setup/report.mjs').EnvironmentProblem}
 */
export async function bootstrap(purpose, reporter = createReporter()) {
  const { images, fixtures, browser = false } = PURPOSES[purpose];
  reporter.line('Set-up');
  await withLock(reporter, async () => {
    await ensureNodeModules(reporter);
    await ensureDebianPackages(reporter, {
      daemon: !(await dockerAnswers()),
      pip: fixtures && fixturesMissing(),
    });
    await ensureDaemon(reporter);
    for (const name of images) await ensureOneImage(name, reporter);
    if (fixtures) await fetchFixtures({ reporter });
    if (browser) await ensureBrowser(reporter);
  });
}

/** @param {import('./images.mjs').ImageName} name @param {import('./setup/report.mjs').Reporter} reporter */
async function ensureOneImage(name, reporter) {
  const step = reporter.begin(`image ${readRecipes().images[name].tag}`);
  const { built } = await ensureImage(name, { onProgress: (text) => step.update(text) });
  step.done(built ? 'built' : 'present');
}

/** @param {string[]} args @returns {Purpose | undefined} */
function parsePurpose(args) {
  const value = args[0] === '--for' ? args[1] : (args[0]?.replace(/^--for=/, '') ?? 'cli');
  return value === 'demo' || value === 'test' || value === 'cli' ? value : undefined;
}

async function main() {
  const reporter = createReporter();
  const purpose = parsePurpose(process.argv.slice(2));
  if (purpose === undefined) {
    reporter.line('usage: node scripts/bootstrap.mjs [--for demo|test|cli]');
    return 2;
  }
  try {
    await bootstrap(purpose, reporter);
    return 0;
  } catch (error) {
    return explain(error, reporter);
  }
}

if (isMain(import.meta.filename)) process.exitCode = await main();
