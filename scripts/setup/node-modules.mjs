/** Step 1: the npm packages of the lock file, whole and of the right versions. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ROOT, readText, sha256 } from './files.mjs';
import { EnvironmentProblem } from './report.mjs';
import { lastLine, outerEnvironment, run } from './run.mjs';

/**
 * The stamp lies inside a package: `npm ci`, ours or by hand, empties that folder first, so an
 * interrupted one never leaves a valid stamp behind.
 */
const STAMP = 'node_modules/node/.vivarium-installed';

/** @param {string} root */
export function pinnedNode(root = ROOT) {
  return path.join(root, 'node_modules', '.bin', 'node');
}

/**
 * @param {string} root of a checkout
 * @returns {string | undefined} why `npm ci` has to run, or undefined when all is as the lock says
 */
export function whyInstall(root) {
  if (!existsSync(path.join(root, 'node_modules'))) return 'nothing is installed';
  const lock = readText(path.join(root, 'package-lock.json')) ?? '';
  const stamp = readText(path.join(root, STAMP));
  if (stamp === undefined) return 'an earlier install did not finish';
  if (stamp !== stampOf(lock)) return 'the lock file changed';
  const broken = findBroken(root, JSON.parse(lock).packages ?? {});
  return broken === undefined ? undefined : `${broken} is damaged`;
}

/** @param {string} lock */
function stampOf(lock) {
  return `${sha256(lock)} ${process.platform}-${process.arch}\n`;
}

/**
 * @param {string} root
 * @param {Record<string, { version?: string, optional?: boolean, devOptional?: boolean,
 *   link?: boolean }>} packages
 * @returns {string | undefined} the first package whose folder is not what the lock file says
 */
function findBroken(root, packages) {
  return Object.entries(packages).find(([place, { version, optional, devOptional, link }]) => {
    // The root itself, and packages for other platforms, which npm leaves out.
    if (place === '' || optional === true || devOptional === true || link === true) return false;
    const text = readText(path.join(root, place, 'package.json'));
    return text === undefined || !text.includes(`"${version}"`);
  })?.[0];
}

/**
 * @param {import('./report.mjs').Reporter} reporter
 * @param {string} [root]
 */
export async function ensureNodeModules(reporter, root = ROOT) {
  const step = reporter.begin('npm packages');
  const reason = whyInstall(root);
  if (reason !== undefined) await install(root, reason, step);
  const version = await ensurePinnedNode(root, step);
  if (reason !== undefined) {
    writeFileSync(
      path.join(root, STAMP),
      stampOf(readFileSync(path.join(root, 'package-lock.json'), 'utf8')),
    );
  }
  step.done(
    reason === undefined ? `as locked, Node ${version}` : `installed (${reason}), Node ${version}`,
  );
}

/** @param {string} root @param {string} reason @param {import('./report.mjs').Step} step */
async function install(root, reason, step) {
  rmSync(path.join(root, STAMP), { force: true });
  const lock = JSON.parse(readText(path.join(root, 'package-lock.json')) ?? '{"packages":{}}');
  const total = Object.keys(lock.packages).length - 1;
  let failure = '';
  for (const attempt of [1, 2, 3]) {
    step.update(`npm ci of ${total} packages: ${reason}${attempt > 1 ? `, try ${attempt}` : ''}`);
    let fetched = 0;
    const result = await run('npm', ['ci', '--ignore-scripts', '--loglevel=http'], {
      cwd: root,
      env: outerEnvironment(),
      onLine: (line) => {
        if (!/^npm http .*\.tgz/.test(line)) return;
        fetched += 1;
        step.update(`npm ci, ${fetched} of up to ${total} packages fetched`);
      },
    });
    if (result.code === 0) return;
    failure = npmError(result.stderr) ?? lastLine(result);
  }
  throw new EnvironmentProblem(`npm ci failed: ${failure}`, [`Run by hand: cd ${root} && npm ci`]);
}

/** @param {string} text */
function npmError(text) {
  const lines = text.match(/^npm (?:error|ERR!) .*$/gm) ?? [];
  return lines.find((line) => !/ (?:code|errno|syscall|path) /.test(line));
}

/**
 * The package `node` fetches its binary in an install script, the only one that is run.
 *
 * @param {string} root @param {import('./report.mjs').Step} step
 * @returns {Promise<string>} the version that answers
 */
async function ensurePinnedNode(root, step) {
  const manifest = JSON.parse(readText(path.join(root, 'package.json')) ?? '{}');
  const wanted = `v${manifest.devDependencies.node}`;
  const asked = await run(pinnedNode(root), ['--version']);
  if (asked.stdout.trim() === wanted) return wanted;
  step.update(`installing Node ${wanted}`);
  const env = { ...outerEnvironment(), npm_config_ignore_scripts: 'false' };
  const rebuilt = await run('npm', ['rebuild', 'node', '--foreground-scripts'], { cwd: root, env });
  const again = await run(pinnedNode(root), ['--version']);
  if (again.stdout.trim() === wanted) return wanted;
  throw new EnvironmentProblem(`Node ${wanted} could not be installed: ${lastLine(rebuilt)}`, [
    `Run by hand: cd ${root} && npm rebuild node --ignore-scripts=false --foreground-scripts`,
  ]);
}
