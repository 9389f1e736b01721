import path from 'node:path';
import { type Places, readText } from './places.ts';

/** The control groups this process is in, innermost first, for one controller. */
export interface GroupFolders {
  version: 1 | 2;
  folders: string[];
}

interface Mount {
  version: 1 | 2;
  /** Part of the hierarchy that is mounted here; not `/` in a container without its own view. */
  root: string;
  point: string;
  controllers: Set<string>;
}

/**
 * Finds the folders of the groups whose limits apply to us. A limit of any of them holds, so all
 * the way up to the mount point is returned. Both versions may be there at once (hybrid layout):
 * then version 1 has the controller if it is mounted there.
 *
 * @param controller `memory` or `cpu`.
 * @returns `null` where there are no control groups.
 */
export async function findGroups(
  controller: 'memory' | 'cpu',
  places: Places,
): Promise<GroupFolders | null> {
  const [own, mountInfo] = await Promise.all([
    readText(path.join(places.proc, 'self/cgroup')),
    readText(path.join(places.proc, 'self/mountinfo')),
  ]);
  if (own === null || mountInfo === null) return null;
  const mounts = parseMounts(mountInfo);
  const mount =
    mounts.find(({ version, controllers }) => version === 1 && controllers.has(controller)) ??
    mounts.find(({ version }) => version === 2);
  if (mount === undefined) return null;
  const group = groupOf(own, mount.version, controller);
  if (group === null) return null;
  return { version: mount.version, folders: foldersOf(group, mount, places) };
}

/** Format of /proc/PID/mountinfo: proc(5). */
function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '/', point = ''] = before.split(' ');
    const [type = '', , options = ''] = after.split(' ');
    if (type !== 'cgroup' && type !== 'cgroup2') return [];
    const controllers = new Set(type === 'cgroup' ? options.split(',') : []);
    return [{ version: type === 'cgroup' ? 1 : 2, root, point, controllers } satisfies Mount];
  });
}

/** Lines of /proc/self/cgroup: `0::/path` (version 2) or `4:memory:/path`. */
function groupOf(text: string, version: 1 | 2, controller: string): string | null {
  for (const line of text.split('\n')) {
    const [, names = '', ...rest] = line.split(':');
    const wanted = version === 2 ? names === '' : names.split(',').includes(controller);
    if (wanted && rest.length > 0) return rest.join(':');
  }
  return null;
}

function foldersOf(group: string, mount: Mount, places: Places): string[] {
  const top = path.join(places.mounts, mount.point);
  // A group outside what is mounted shows as `/..`; then only the mount itself can be looked at.
  const inside = path.posix.relative(mount.root, group);
  if (inside === '' || inside.startsWith('..')) return [top];
  const parts = inside.split('/');
  return [...parts.map((_, index) => path.join(top, ...parts.slice(0, parts.length - index))), top];
}
