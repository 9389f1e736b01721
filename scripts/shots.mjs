#!/usr/bin/env node
/**
 * `npm run shots`: pictures of each screen, in both themes and two sizes, of a real session: the
 * demonstration is fixed by its model first.
 *
 *   node scripts/shots.mjs [--out FOLDER] [--no-build]
 */
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bootstrap } from './bootstrap.mjs';
import { ensureBrowser, whyNoBrowser } from './setup/browser.mjs';
import { ROOT } from './setup/files.mjs';
import { EnvironmentProblem, createReporter, explain } from './setup/report.mjs';
import { run } from './setup/run.mjs';

/** @param {import('./setup/report.mjs').Reporter} reporter */
async function build(reporter) {
  const step = reporter.begin('pages');
  const program = path.join(ROOT, 'node_modules', '.bin', 'electron-vite');
  const { code, stderr } = await run(program, ['build', '--logLevel', 'warn'], {
    cwd: ROOT,
    env: { ...process.env, ELECTRON_MAJOR_VER: '45' },
  });
  if (code !== 0) throw new Error(`the pages do not build: ${stderr}`);
  step.done('built');
}

async function main() {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: path.join(ROOT, 'docs', 'screenshots') },
      build: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  const reporter = createReporter();
  try {
    await bootstrap('demo', reporter);
    await ensureBrowser(reporter);
    const missing = whyNoBrowser();
    if (missing !== undefined) {
      throw new EnvironmentProblem(missing, ['sudo apt-get install chromium']);
    }
    if (values.build) await build(reporter);
    const { takeShots } = await import('./shots/take-shots.ts');
    const files = await takeShots(values.out);
    console.log(`${files.length} pictures in ${path.relative(process.cwd(), values.out)}`);
    return 0;
  } catch (error) {
    return explain(error, reporter);
  }
}

process.exitCode = await main();
