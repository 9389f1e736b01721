/** What the machine's own package archive says: release, mirror, packages. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { readText } from '../setup/files.mjs';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run } from '../setup/run.mjs';

/**
 * @typedef {object} Release
 * @property {string} id `debian`, `ubuntu`, ...
 * @property {string} codename `bookworm`, ...
 * @property {boolean} isDebianLike whether `apt-get` and `debootstrap` know it
 */

/** @param {string} [text] the text of os-release @returns {Release} */
export function readRelease(text = readText('/etc/os-release') ?? '') {
  /** @type {Record<string, string>} */
  const values = {};
  for (const line of text.split('\n')) {
    const match = /^([A-Z_]+)="?([^"]*)"?$/.exec(line);
    if (match?.[1] !== undefined) values[match[1]] = match[2] ?? '';
  }
  const id = values['ID'] ?? 'unknown';
  return {
    id,
    codename: values['VERSION_CODENAME'] ?? '',
    isDebianLike: id === 'debian' || id === 'ubuntu',
  };
}

/**
 * The mirror that the machine itself uses for its release, so that an air-gapped site's mirror
 * serves the images too.
 *
 * @param {string} codename
 * @returns {Promise<string | undefined>} undefined: debootstrap's own default is used
 */
export async function findMirror(codename) {
  const format = '$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)';
  const result = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  return result.code === 0 ? pickMirror(result.stdout, codename) : undefined;
}

/**
 * @param {string} targets lines `uri|release|component|origin` (origin is empty before the first
 *   `apt-get update`)
 * @param {string} codename
 * @returns {string | undefined}
 */
export function pickMirror(targets, codename) {
  const rows = targets.split('\n').map((line) => line.split('|'));
  const usable = rows.filter(
    ([uri = '', release, component]) =>
      release === codename && component === 'main' && /^(https?|file):/.test(uri),
  );
  // Third-party archives may use the release's name too; the distribution's own names itself.
  const own = usable.find(([, , , origin]) => origin === 'Debian' || origin === 'Ubuntu');
  return (own ?? usable.find(([, , , origin]) => origin === ''))?.[0];
}

/**
 * Downloads packages and whatever they need that a root file system does not have yet.
 *
 * @param {{ packages: string[], status: string, into: string,
 *   onLine?: (line: string) => void, signal?: AbortSignal | undefined }} options `status`: path of that system's dpkg status file;
 *   `into`: an existing folder
 */
export async function downloadPackages({ packages, status, into, onLine, signal }) {
  const args = [
    ...['-o', `Dir::State::status=${status}`, '-o', `Dir::Cache::archives=${into}`],
    ...['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root'],
    ...['--yes', '--no-install-recommends', '--download-only', 'install', ...packages],
  ];
  const result = await aptOrUpdate(args, {
    ...(onLine !== undefined && { onLine }),
    ...(signal !== undefined && { signal }),
  });
  if (result.code === 0) return;
  throw new EnvironmentProblem(
    `apt-get could not download ${packages.join(' ')}: ${lastLine(result)}`,
    ['Run `apt-get update`, then check the names with `apt-cache policy PACKAGE`.'],
  );
}

/**
 * `apt-get`, and once more with fresh package lists when the first try failed: a new machine has
 * none, and an old one asks for versions that are gone.
 *
 * @param {string[]} args
 * @param {import('../setup/run.mjs').RunOptions} [options]
 */
export async function aptOrUpdate(args, options) {
  const first = await run('apt-get', args, options);
  if (first.code === 0 || process.getuid?.() !== 0 || options?.signal?.aborted) return first;
  const { signal } = options ?? {};
  const update = ['-o', 'DPkg::Lock::Timeout=300', 'update'];
  await run('apt-get', update, signal === undefined ? {} : { signal });
  if (signal?.aborted) return first;
  return run('apt-get', args, options);
}

/** @throws {EnvironmentProblem} where images cannot be made at all */
export function requireDebian() {
  const release = readRelease();
  if (release.isDebianLike && existsSync('/usr/bin/apt-get')) return release;
  throw new EnvironmentProblem(`images are made from Debian packages; this is ${release.id}`, [
    'Make the image on a Debian or Ubuntu machine: vivarium images build',
    'Save it there: docker save vivarium-base:latest -o vivarium-base.tar',
    'Load it here: vivarium images import vivarium-base.tar',
  ]);
}
