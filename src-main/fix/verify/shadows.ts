import type { Change } from '../../patch/index.ts';
import { filesOfCommand } from './judge-files.ts';
import type { Workspace } from '../../workspaces/index.ts';

/** Folders that Python or its runners put on the import path of a repository. */
const IMPORT_ROOTS = ['', 'src/', 'lib/'];

const PYTHON_FILE = /\.(?:py|pyc|so|pyd)$/;

/** Path of the top-level module that a change belongs to, and the module's name. */
interface Candidate {
  module: string;
  path: string;
}

function candidatesOf(
  changes: readonly Change[],
  roots: readonly string[],
): Map<string, Candidate> {
  const found = new Map<string, Candidate>();
  for (const { path, kind } of changes) {
    if (kind === 'deleted') continue;
    for (const root of roots) {
      if (!path.startsWith(root)) continue;
      const first = path.slice(root.length).split('/')[0] ?? '';
      const isFolder = path.length > root.length + first.length;
      // A link can stand for a folder of modules.
      if (!isFolder && kind !== 'symlink' && !PYTHON_FILE.test(first)) continue;
      const module = first.split('.')[0] ?? '';
      if (/^[\w]+$/.test(module)) found.set(root + first, { module, path: root + first });
    }
  }
  return found;
}

/**
 * Finds new top-level modules that hide an installed one: a patch that adds `pytest.py`, or a
 * module of the standard library's name, replaces the judge. Asks the image's own Python, isolated
 * from the repository; an image without Python has nothing to hide.
 *
 * @returns paths at an import root, each a file or folder that hides an installed module
 */
export async function findShadows(
  workspace: Workspace,
  changes: readonly Change[],
  { command, signal }: { command: string; signal?: AbortSignal | undefined },
): Promise<string[]> {
  const { folders } = filesOfCommand(command);
  const inFolders = folders.flatMap((folder) => IMPORT_ROOTS.map((root) => folder + root));
  const candidates = candidatesOf(changes, [...IMPORT_ROOTS, ...inFolders]);
  if (candidates.size === 0) return [];
  const names = [...new Set([...candidates.values()].map(({ module }) => module))];
  const result = await workspace.run({
    command: `python3 -I - <<'END'\nimport importlib.util\nfor name in ${JSON.stringify(names)}:\n    if importlib.util.find_spec(name): print(name)\nEND`,
    shell: 'sh',
    cwd: '/',
    timeoutMs: 30_000,
    ...(signal ? { signal } : {}),
  });
  if (result.exitCode !== 0) return [];
  const installed = new Set(new TextDecoder().decode(result.stdout.head).split('\n'));
  return [...candidates.values()]
    .filter(({ module }) => installed.has(module))
    .map(({ path }) => path);
}
