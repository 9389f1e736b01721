/** A tiny image with BusyBox and nothing else: the other kind of POSIX shell that tests run in. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run } from '../setup/run.mjs';
import { aptOrUpdate } from './archive.mjs';
import { addUser } from './base.mjs';
import { importTree } from './docker.mjs';
import { withWorkbench } from './workbench.mjs';

/**
 * @param {{ packages: string[], tag: string, user: import('../images.mjs').User,
 *   changes: string[], signal?: AbortSignal | undefined }} options
 * @returns {Promise<string>} the image id
 */
export function buildBusybox({ packages, tag, user, changes, signal }) {
  return withWorkbench(async (folder) => {
    const unpacked = path.join(folder, 'unpacked');
    await unpack(folder, packages, unpacked, signal);
    const tree = path.join(folder, 'tree');
    for (const name of ['bin', 'etc', 'root', 'home', 'var', 'usr']) {
      mkdirSync(path.join(tree, name), { recursive: true });
    }
    mkdirSync(path.join(tree, 'tmp'));
    chmodSync(path.join(tree, 'tmp'), 0o1777);
    await installApplets(unpacked, path.join(tree, 'bin'));
    writeFileSync(path.join(tree, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    writeFileSync(path.join(tree, 'etc/group'), 'root:x:0:\n');
    addUser(tree, user);
    return importTree({ tree, tag, exclude: [], changes, signal });
  });
}

/**
 * @param {string} folder @param {string[]} packages @param {string} into
 * @param {AbortSignal | undefined} signal
 */
async function unpack(folder, packages, into, signal) {
  const options = { cwd: folder, ...(signal !== undefined && { signal }) };
  const fetched = await aptOrUpdate(['download', ...packages], options);
  signal?.throwIfAborted();
  const archives = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  if (fetched.code !== 0 || archives.length === 0) {
    throw new EnvironmentProblem(
      `apt-get could not download ${packages.join(' ')}: ${lastLine(fetched)}`,
      ['Run: apt-get update'],
    );
  }
  for (const name of archives) await run('dpkg-deb', ['-x', path.join(folder, name), into]);
}

/** @param {string} unpacked @param {string} bin */
async function installApplets(unpacked, bin) {
  const places = ['bin/busybox', 'usr/bin/busybox'].map((name) => path.join(unpacked, name));
  const source = places.find((file) => existsSync(file)) ?? '';
  copyFileSync(source, path.join(bin, 'busybox'));
  chmodSync(path.join(bin, 'busybox'), 0o755);
  const applets = (await run(source, ['--list'])).stdout.split('\n').filter(Boolean);
  for (const name of applets) if (name !== 'busybox') symlinkSync('busybox', path.join(bin, name));
}
