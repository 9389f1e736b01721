import { VivariumError } from '../../lib/index.ts';
import { AGENT_HOME, WORKSPACE_ROOT } from './container-options.ts';

/** Plain names only: the path is written into mount options, listings and the kernel's tables. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/;
/** Of the kernel, of the hardening, or what a shell and the tools run from. */
const TAKEN =
  /^\/(?:proc|sys|dev|etc|bin|sbin|lib(?:\d+)?|tmp|run)(?:\/|$)|^\/usr(?:\/(?:bin|sbin|lib(?:\d+)?))?$|^\/var$|^\/home$/;

const MOST_SCRATCH = 8;

/**
 * The folder of the repository inside, as asked for by whoever describes a task.
 * @throws VivariumError `workspace_path` when nothing may be mounted there.
 */
export function checkedRoot(asked: string | undefined): string {
  const root = asked ?? WORKSPACE_ROOT;
  const inHome = root === AGENT_HOME || root.startsWith(`${AGENT_HOME}/`);
  if (PLAIN_PATH.test(root) && !TAKEN.test(root) && !inHome) return root;
  throw new VivariumError(
    'workspace_path',
    `a repository cannot lie at ${JSON.stringify(root)} in a workspace`,
    'Name a folder of its own, such as /workspace, /testbed or /app.',
  );
}

/**
 * Folders to write to besides the repository: none lies in another one of the workspace's.
 * @throws VivariumError `workspace_path`
 */
export function checkedScratch(asked: readonly string[] | undefined, root: string): string[] {
  const scratch = [...(asked ?? [])];
  const around = (outer: string, inner: string): boolean => `${inner}/`.startsWith(`${outer}/`);
  const bad = scratch.find((folder, at) => {
    if (!PLAIN_PATH.test(folder) || TAKEN.test(folder)) return true;
    const others = [root, AGENT_HOME, ...scratch.slice(0, at)];
    return others.some((other) => around(other, folder) || around(folder, other));
  });
  if (bad === undefined && scratch.length <= MOST_SCRATCH) return scratch;
  throw new VivariumError(
    'workspace_path',
    bad === undefined
      ? `a workspace has at most ${MOST_SCRATCH} scratch folders`
      : `a scratch folder cannot lie at ${JSON.stringify(bad)} in a workspace`,
    'Name folders of their own, such as /logs or /tests.',
  );
}
