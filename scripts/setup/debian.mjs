/** Step 2: the Debian packages that set-up, workspaces and tests need. */
import process from 'node:process';
import { readRelease } from '../images/archive.mjs';
import { EnvironmentProblem } from './report.mjs';
import { lastLine, run, which } from './run.mjs';

/**
 * @typedef {object} Need
 * @property {string} debian the package
 * @property {string} program what proves that it is there; `dockerd`, since a `docker` client may be
 *   there without a daemon
 */

/** @type {Need[]} */
const ALWAYS = [
  { debian: 'docker.io', program: 'dockerd' },
  { debian: 'docker.io', program: 'docker' },
  { debian: 'iptables', program: 'iptables' },
  { debian: 'debootstrap', program: 'debootstrap' },
  { debian: 'git', program: 'git' },
];

/** @param {Need[]} needs @param {(program: string) => unknown} find @returns {string[]} packages */
export function missingPackages(needs, find) {
  const missing = needs.filter(({ program }) => find(program) === undefined);
  return [...new Set(missing.map(({ debian }) => debian))];
}

/**
 * @param {import('./report.mjs').Reporter} reporter
 * @param {{ daemon: boolean, pip: boolean }} options `daemon`: whether a Docker of this machine is
 *   needed (not when one answers already); `pip`: whether test fixtures will be downloaded
 */
export async function ensureDebianPackages(reporter, { daemon, pip }) {
  const step = reporter.begin('system packages');
  const needs = ALWAYS.filter(
    ({ program }) => daemon || !['dockerd', 'iptables'].includes(program),
  );
  const missing = missingPackages(needs, (program) => which(program));
  if (pip && (await run('python3', ['-m', 'pip', '--version'])).code !== 0) {
    missing.push('python3-pip');
  }
  if (missing.length === 0) {
    step.done('present');
    return;
  }
  await install(missing, step);
  step.done(`installed ${missing.join(' ')}`);
}

/** @param {string[]} packages @param {import('./report.mjs').Step} step */
export async function install(packages, step) {
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages];
  const byHand = [`sudo apt-get update`, `sudo ${command.join(' ')}`];
  const release = readRelease();
  if (!release.isDebianLike) {
    throw new EnvironmentProblem(
      `missing: ${packages.join(', ')}, and this is ${release.id}, not Debian or Ubuntu`,
      [
        'Install what provides them, then run this command again. On Debian it would be:',
        ...byHand,
      ],
    );
  }
  if (process.getuid?.() !== 0) {
    throw new EnvironmentProblem(
      `missing: ${packages.join(', ')}, and this user is not root`,
      byHand,
    );
  }
  step.update(`installing ${packages.join(' ')}`);
  // Most often the lists are there; asking for new ones first would cost every run some seconds.
  const first = await apt(command.slice(1), step);
  if (first.code === 0) return;
  step.update('fetching the package lists');
  await apt(['update'], step);
  const second = await apt(command.slice(1), step);
  if (second.code !== 0) {
    throw new EnvironmentProblem(`apt-get failed: ${aptError(second)}`, byHand);
  }
}

/** @param {string[]} args @param {import('./report.mjs').Step} step */
function apt(args, step) {
  return run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (line) => {
      if (/^(Get|Unpacking|Setting up)/.test(line)) step.update(line.slice(0, 70));
    },
  });
}

/** @param {import('./run.mjs').RunResult} result */
function aptError(result) {
  return /^E: .*$/m.exec(`${result.stderr}\n${result.stdout}`)?.[0] ?? lastLine(result);
}
