import { VivariumError } from '../../lib/index.ts';
import { AGENT_HOME, WORKSPACE_ROOT } from './container-options.ts';

/** Plain names only: the path is written into mount options, listings and the kernel's tables. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/;
/** Of the kernel, of the hardening, or what a shell and the tools run from. */
const TAKEN =
  /^\/(?:proc|sys|dev|etc|bin|sbin|lib(?:\d+)?|tmp|run)(?:\/|$)|^\/usr(?:\/(?:bin|sbin|lib(?:\d+)?))?$|^\/var$|^\/home$/;

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
