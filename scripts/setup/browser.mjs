/** The browser that the tests of the app drive. Without one they are left out; all else works. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { install } from './debian.mjs';

/** @returns {string} path of Chromium; whether it is there is another question */
export function chromiumPath() {
  return process.env['VIVARIUM_CHROMIUM'] ?? '/usr/bin/chromium';
}

/** @returns {string | undefined} why the tests of the app cannot run */
export function whyNoBrowser() {
  const file = chromiumPath();
  return existsSync(file) ? undefined : `there is no ${file}`;
}

/**
 * Installs Debian's Chromium where it is missing. A machine that cannot have it is told so and goes
 * on: nobody needs it to fix anything.
 *
 * @param {import('./report.mjs').Reporter} reporter
 */
export async function ensureBrowser(reporter) {
  const step = reporter.begin('browser for tests');
  if (whyNoBrowser() === undefined) {
    step.done('present');
    return;
  }
  try {
    await install(['chromium'], step);
    step.done('installed chromium');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    step.done(`${why}; tests of the app will be skipped`);
  }
}
