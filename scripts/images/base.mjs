/** The base image: a Debian root file system made by debootstrap. */
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readText } from '../setup/files.mjs';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run, which } from '../setup/run.mjs';
import { findMirror } from './archive.mjs';
import { importTree } from './docker.mjs';
import { withWorkbench } from './workbench.mjs';

/**
 * @param {{ packages: string[], codename: string, tag: string, user: import('../images.mjs').User,
 *   strip: string[], changes: string[], onProgress: (text: string) => void,
 *   signal?: AbortSignal | undefined }} options
 * @returns {Promise<string>} the image id
 */
export function buildBase(options) {
  requireRoot();
  return withWorkbench(async (folder) => {
    const tree = path.join(folder, 'tree');
    options.signal?.throwIfAborted();
    await debootstrap(tree, options);
    addUser(tree, options.user);
    startNoProgramAtLogin(tree);
    return importTree({
      tree,
      tag: options.tag,
      exclude: options.strip,
      changes: options.changes,
      onBytes: (bytes) => options.onProgress(`importing, ${Math.round(bytes / 1e6)} MB`),
      signal: options.signal,
    });
  });
}

function requireRoot() {
  if (process.getuid?.() !== 0) {
    throw new EnvironmentProblem('making a base image needs root (debootstrap uses chroot)', [
      'Run: sudo npx vivarium images build',
    ]);
  }
  if (which('debootstrap') === undefined) {
    throw new EnvironmentProblem('debootstrap is not installed', [
      'apt-get install --no-install-recommends debootstrap',
    ]);
  }
}

/** @param {string} tree @param {Parameters<typeof buildBase>[0]} options */
async function debootstrap(tree, { packages, codename, onProgress, signal }) {
  const mirror = await findMirror(codename);
  let count = 0;
  const onLine = (/** @type {string} */ line) => {
    const match = /^I: (Retrieving|Validating|Extracting|Unpacking|Configuring) (\S+)/.exec(line);
    if (match === null) return;
    count += 1;
    onProgress(`${match[1]?.toLowerCase()} ${match[2]?.replace(/\.+$/, '')} (${count})`);
  };
  const command = [
    ...['debootstrap', '--variant=minbase', `--include=${packages.join(',')}`, codename, tree],
    ...(mirror === undefined ? [] : [mirror]),
  ];
  const [program = '', ...args] = [...(await ownNamespaces()), ...command];
  const result = await run(program, args, { onLine, ...(signal !== undefined && { signal }) });
  signal?.throwIfAborted();
  if (result.code === 0) return;
  const log = readText(path.join(tree, 'debootstrap', 'debootstrap.log')) ?? '';
  const output = `${log}\n${result.stdout}\n${result.stderr}`;
  const cause = output.match(/^[EW]: .*$/gm)?.at(-1) ?? lastLine(result);
  throw new EnvironmentProblem(`debootstrap failed: ${cause}`, [
    'To see more, run it by hand:',
    command.map((word) => (word === tree ? 'FOLDER' : word)).join(' '),
  ]);
}

/**
 * Mounts and processes of an interrupted build end with it where the kernel lets us have our own.
 *
 * @returns {Promise<string[]>} the words to put before a command; none where it does not
 */
async function ownNamespaces() {
  const prefix = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];
  const tried = await run(prefix[0] ?? '', [...prefix.slice(1), 'true']);
  return tried.code === 0 ? prefix : [];
}

/**
 * Debian's login profile starts id(1) for every `bash -l`, which every Bash call of a model is.
 * Bash knows the number itself: the same PATH comes out, a millisecond earlier.
 *
 * @param {string} tree
 */
export function startNoProgramAtLogin(tree) {
  const file = path.join(tree, 'etc/profile');
  const profile = readText(file);
  if (profile === undefined) return;
  writeFileSync(file, profile.replaceAll('"$(id -u)"', '"${UID:-$(id -u)}"'));
}

/**
 * Workspaces run as this user; without an account git and Python find no name and no home.
 *
 * @param {string} tree @param {import('../images.mjs').User} user
 */
export function addUser(tree, { name, uid, home }) {
  const accounts = path.join(tree, 'etc/passwd');
  if (existsSync(accounts) && readFileSync(accounts, 'utf8').includes(`\n${name}:`)) return;
  const shell = existsSync(path.join(tree, 'bin/bash')) ? '/bin/bash' : '/bin/sh';
  appendFileSync(accounts, `${name}:x:${uid}:${uid}:${name}:${home}:${shell}\n`);
  appendFileSync(path.join(tree, 'etc/group'), `${name}:x:${uid}:\n`);
  const folder = path.join(tree, home);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  chownSync(folder, uid, uid);
}
