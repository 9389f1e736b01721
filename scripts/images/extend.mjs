/**
 * More Debian packages on top of an image we made. The host downloads them against the image's own
 * list of what it has; the container that installs them needs no network.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { EnvironmentProblem } from '../setup/report.mjs';
import { lastLine, run } from '../setup/run.mjs';
import { downloadPackages } from './archive.mjs';
import { docker, nameImage } from './docker.mjs';
import { withWorkbench } from './workbench.mjs';

const BUILD_LABEL = 'vivarium.image.build';
const INBOX = '/var/cache/vivarium-packages';

/** Installs what lies in the inbox and leaves nothing of it behind; runs inside the container. */
const INSTALL = `
set -e
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
dpkg --install ${INBOX}/*.deb
rm -rf ${INBOX} /usr/share/doc/* /usr/share/man/* /usr/share/info/* /usr/share/locale/* /var/log/*
`;

/**
 * @param {{ from: string, packages: string[], tag: string, changes: string[],
 *   onProgress: (text: string) => void, signal?: AbortSignal | undefined }} options `from`: tag of an image with dpkg in it
 * @returns {Promise<string>} the image id
 */
export function extendImage({ from, packages, tag, changes, onProgress, signal }) {
  return withWorkbench(async (folder) => {
    await removeAbandonedContainers();
    signal?.throwIfAborted();
    const inbox = path.join(folder, 'packages');
    mkdirSync(path.join(inbox, 'partial'), { recursive: true });
    const container = await docker([
      ...['create', '--network', 'none', '--label', `${BUILD_LABEL}=${process.pid}`],
      ...['--user', '0:0', from, '/bin/sh', '-c', INSTALL],
    ]);
    try {
      const status = path.join(folder, 'status');
      await docker(['cp', `${container}:/var/lib/dpkg/status`, status]);
      onProgress(`downloading ${packages.join(' ')}`);
      await downloadPackages({ packages, status, into: inbox, signal });
      signal?.throwIfAborted();
      const archives = readdirSync(inbox).filter((name) => name.endsWith('.deb'));
      // None is missing: the image is the old one under a new name.
      if (archives.length > 0)
        await install(container, inbox, { packages: archives.length, onProgress, signal });
      const id = await docker([
        ...['commit', ...changes.flatMap((line) => ['--change', line])],
        ...['--change', 'CMD ["/bin/sh"]', container],
      ]);
      return await nameImage(id, tag, signal);
    } finally {
      await run('docker', ['rm', '--force', container]);
    }
  });
}

/**
 * @param {string} container @param {string} inbox
 * @param {{ packages: number, onProgress: (text: string) => void,
 *   signal: AbortSignal | undefined }} options
 */
async function install(container, inbox, { packages, onProgress, signal }) {
  await docker(['cp', inbox, `${container}:${INBOX}`]);
  let count = 0;
  const result = await run('docker', ['start', '--attach', container], {
    onLine: (line) => {
      const match = /^(Unpacking|Setting up) (\S+)/.exec(line);
      if (match === null) return;
      count += 1;
      onProgress(`${match[1]?.toLowerCase()} ${match[2]} (${count} of ${packages * 2})`);
    },
    ...(signal !== undefined && { signal }),
  });
  signal?.throwIfAborted();
  if (result.code === 0) return;
  throw new EnvironmentProblem(`dpkg could not install the packages: ${lastLine(result)}`, [
    `They were downloaded for this machine's release; is the image of the same one?`,
  ]);
}

/** Build containers of processes that were killed. */
async function removeAbandonedContainers() {
  const format = `{{.ID}} {{.Label "${BUILD_LABEL}"}}`;
  const list = await docker(['ps', '-a', '--filter', `label=${BUILD_LABEL}`, '--format', format]);
  for (const line of list.split('\n').filter(Boolean)) {
    const [id = '', owner = ''] = line.split(' ');
    if (!isAlive(Number(owner))) await run('docker', ['rm', '--force', id]);
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
