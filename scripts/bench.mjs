#!/usr/bin/env node
/**
 * `npm run bench`: measures speed and size on this machine, side by side with what others do, and
 * prints a table. The figures also go to a JSON file. A row of ours that does not reach what was
 * set is marked; the exit code is 0 all the same unless `--check` is given.
 *
 *   node scripts/bench.mjs [--only NAME,...] [--out FILE] [--check]
 */
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bootstrap } from './bootstrap.mjs';
import { renderTable, verdict } from './bench/table.mjs';
import { pinnedNode } from './setup/node-modules.mjs';
import { ROOT } from './setup/files.mjs';
import { createReporter, explain } from './setup/report.mjs';

/** The quiet ones last: the machine has settled by then. */
const MEASUREMENTS = [
  'tool-calls',
  'session-list',
  'eval-report',
  'eval-cost',
  'workspace-ready',
  'large-patch',
  'llamacpp-proxy',
  'telemetry',
  'own-time',
  'app-core',
  'app-pages',
  'flood',
  'thousand-commands',
  'cold-help',
];

/** @typedef {import('./bench/row.ts').Row} Row @typedef {import('./bench/row.ts').Skipped} Skipped */

/**
 * @param {string} name
 * @returns {Promise<(Row | Skipped)[]>}
 */
function measure(name) {
  const child = fork(path.join(ROOT, 'scripts', 'bench', 'run-row.ts'), [name], {
    execPath: pinnedNode(),
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors = (errors + String(chunk)).slice(-4000)));
  return new Promise((resolve) => {
    /** @type {(Row | Skipped)[] | undefined} */
    let rows;
    child.on('message', (message) => (rows = /** @type {(Row | Skipped)[]} */ (message)));
    child.on('close', (code) => {
      const cause = errors.split('\n').find((line) => /Error/.test(line)) ?? errors.trim();
      resolve(rows ?? [{ what: name, skipped: `failed with exit code ${code}: ${cause}` }]);
    });
  });
}

function machine() {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return {
    vivarium: version,
    measuredAt: new Date().toISOString(),
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    kernel: os.release(),
    loadBefore: os.loadavg()[0],
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      out: { type: 'string', default: path.join(ROOT, '.cache', 'bench', 'bench.json') },
      check: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',') ?? MEASUREMENTS;
  const unknown = names.filter((name) => !MEASUREMENTS.includes(name));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(', ')}; there are ${MEASUREMENTS.join(', ')}`);
    return 2;
  }
  const reporter = createReporter();
  await bootstrap('cli', reporter);
  const facts = machine();
  /** @type {(Row | Skipped)[]} */
  const rows = [];
  for (const name of names) {
    const step = reporter.begin(`measuring ${name}`);
    rows.push(...(await measure(name)));
    step.done('done');
  }
  console.log(`\n${renderTable(rows)}\n`);
  console.log(
    `${facts.cpu}, ${facts.cores} cores, ${facts.memoryGb} GB; load before: ${facts.loadBefore?.toFixed(2)}`,
  );
  mkdirSync(path.dirname(values.out), { recursive: true });
  const reported = rows.map((row) => Object.assign(row, { met: verdict(row) }));
  writeFileSync(values.out, `${JSON.stringify({ machine: facts, rows: reported }, null, 2)}\n`);
  console.log(`JSON: ${values.out}`);
  const bad = reported.filter((row) => row.met === false || 'skipped' in row);
  return values.check && bad.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = explain(error, createReporter());
}
