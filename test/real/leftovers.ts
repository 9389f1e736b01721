import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';

/** Digest of everything below a folder, `.git` included: names, kinds, modes, times, contents. */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true })).toSorted();
  for (const name of names) {
    const file = path.join(folder, name);
    const { mode, mtimeMs, ctimeMs } = await lstat(file);
    hash.update(`${name}\0${mode}\0${mtimeMs}\0${ctimeMs}\0`);
    const kind = mode & 0o170000;
    if (kind === 0o100000) hash.update(await readFile(file));
    if (kind === 0o120000) hash.update(await readlink(file));
  }
  return hash.digest('hex');
}

/** Containers and volumes of one session that are still there. */
export async function containersOf(session: string): Promise<string[]> {
  const label = `label=vivarium.session=${session}`;
  const containers = await execa('docker', ['ps', '--all', '--quiet', '--filter', label]);
  const volumes = await execa('docker', ['volume', 'ls', '--quiet', '--filter', label]);
  return `${containers.stdout}\n${volumes.stdout}`.split('\n').filter((line) => line !== '');
}

/** Processes of this machine whose environment or arguments name a path. */
export async function processesNaming(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (pid === String(process.pid)) continue;
    // A process can end while it is looked at.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (environment.includes(text) || command.includes(text)) {
      found.push(`${pid} ${command.replaceAll('\0', ' ')}`);
    }
  }
  return found;
}
