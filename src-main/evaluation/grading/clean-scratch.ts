import { VivariumError } from '../../lib/index.ts';
import type { Workspace } from '../../workspaces/index.ts';
import { LOGS_FOLDER, TESTS_FOLDER } from './workspace-options.ts';

const FOLDERS = [LOGS_FOLDER, TESTS_FOLDER];
const TIMEOUT_MS = 60_000;
const MAX_NAMED = 50;

/** The system's own programs, whatever an image puts before them. */
const CLEAN = `
PATH=/usr/sbin:/usr/bin:/sbin:/bin
for folder in ${FOLDERS.join(' ')}; do
  find "$folder" -type d ! -perm -700 -exec chmod u+rwx {} \\;
  find "$folder" -mindepth 1 -delete
done
exit 0
`;

/**
 * Empties `/logs` and `/tests` of a workspace that an agent has worked in, after the end of all its
 * processes, and returns what was there: a reward or a test that lies ready was planted.
 * @throws VivariumError `workspace_failed` when something cannot be removed.
 */
export async function cleanScratch(workspace: Workspace): Promise<string[]> {
  const planted = await present(workspace);
  await workspace.run({ command: CLEAN, shell: 'sh', cwd: '/', timeoutMs: TIMEOUT_MS });
  await workspace.endProcesses();
  const left = await present(workspace);
  if (left.length === 0) return planted.slice(0, MAX_NAMED);
  throw new VivariumError(
    'workspace_failed',
    `What lay in the folders of the verifier cannot be removed: ${left[0] ?? ''}.`,
    'Look at the session: the agent has written to /logs or /tests.',
  );
}

async function present(workspace: Workspace): Promise<string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    const listed = await workspace.list(folder, { maxEntries: 1_000 });
    found.push(...(listed?.entries ?? []).map(({ path }) => `${folder}/${path}`));
  }
  return found.toSorted();
}
