import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/**
 * Applies a patch to the index at `indexFile` only. Returns `undefined` when it applied, otherwise
 * what git said. `check` leaves the index as it is.
 */
export async function applyToIndex(
  patch: Uint8Array,
  options: GitOptions & { indexFile: string; check?: boolean },
): Promise<string | undefined> {
  const { check, ...place } = options;
  const args = ['apply', '--cached', '--whitespace=nowarn', ...(check === true ? ['--check'] : [])];
  const { exitCode, stderr } = await runGit([...args, '-'], {
    ...place,
    input: patch,
    okCodes: [0, 1, 128],
  });
  return exitCode === 0 ? undefined : stderr.trim();
}
