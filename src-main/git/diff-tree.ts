import { nulRecords } from './records.ts';
import { runGit, streamGit } from './run.ts';
import type { GitOptions } from './run.ts';

const COMMON = ['-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];

/** One path that differs between two trees. */
export interface TreeDifference {
  oldMode: string;
  newMode: string;
  /** Id in the new tree; all zeros when it is gone. */
  newId: string;
  status: string;
  path: Buffer;
}

/** The difference of two trees as a patch that `git apply` takes, binaries included. */
export async function diffPatch(from: string, to: string, options: GitOptions): Promise<Buffer> {
  const flags = ['-p', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/'];
  const fixed = ['--unified=3', '--inter-hunk-context=0', '--diff-algorithm=myers'];
  const args = ['diff-tree', ...COMMON, ...flags, ...fixed, from, to];
  const { stdout } = await runGit(args, {
    ...options,
    maxOutputBytes: 1024 * 1024 * 1024,
  });
  return stdout;
}

/** The paths in which two trees differ. */
export async function* diffRaw(
  from: string,
  to: string,
  options: GitOptions,
): AsyncGenerator<TreeDifference, void, undefined> {
  const records = nulRecords(
    streamGit(['diff-tree', ...COMMON, '--raw', '-z', '--full-index', from, to], options),
  );
  for await (const record of records) {
    const [oldMode, newMode, , newId, status] = record.subarray(1).toString('latin1').split(' ');
    const path = await records.next();
    if (
      path.done === true ||
      oldMode === undefined ||
      newMode === undefined ||
      newId === undefined ||
      status === undefined
    ) {
      throw new Error('unexpected output of git diff-tree');
    }
    yield { oldMode, newMode, newId, status, path: Buffer.from(path.value) };
  }
}

/** Added and removed lines of each path; `null` for binaries. */
export async function diffCounts(
  from: string,
  to: string,
  options: GitOptions,
): Promise<{ path: Buffer; insertions: number | null; deletions: number | null }[]> {
  const counts = [];
  const output = streamGit(['diff-tree', ...COMMON, '--numstat', '-z', from, to], options);
  for await (const record of nulRecords(output)) {
    const first = record.indexOf(9);
    const second = record.indexOf(9, first + 1);
    if (first === -1 || second === -1) throw new Error('unexpected output of git diff-tree');
    counts.push({
      path: Buffer.from(record.subarray(second + 1)),
      insertions: countOf(record.subarray(0, first)),
      deletions: countOf(record.subarray(first + 1, second)),
    });
  }
  return counts;
}

function countOf(field: Buffer): number | null {
  const text = field.toString('latin1');
  return text === '-' ? null : Number(text);
}
