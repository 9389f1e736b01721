import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  applyToIndex,
  diffCounts,
  diffPatch,
  diffRaw,
  formatOf,
  importCommit,
  readTree,
  revParse,
  writeTree,
} from '../git/index.ts';
import type { FileMode, GitOptions, ImportItem, ObjectFormat } from '../git/index.ts';
import { visibleLine, VivariumError } from '../lib/index.ts';
import { baseFiles } from './base-files.ts';
import type { BaseFiles } from './base-files.ts';
import { changeMap, changeProblem, foldersAbove } from './changes.ts';
import { sortOut } from './left-out.ts';
import { blobId } from './object-id.ts';
import { quoteAmbiguousHeaders } from './patch-headers.ts';
import { reviewFlagsAside } from './review-flags-aside.ts';
import { withScratch } from './scratch.ts';
import type { Scratch } from './scratch.ts';
import { START_AUTHOR } from './snapshot.ts';
import type { Change, LeftOut, Patch, PatchFile, Snapshot } from './types.ts';

export interface MakePatchOptions {
  /** What the workspace could not hand over; goes into the patch's list. */
  leftOut?: readonly LeftOut[];
  /** Globs of new files to take although a rule ignores them or they look like build output. */
  include?: readonly string[];
  signal?: AbortSignal | undefined;
}

/**
 * The patch from the snapshot to snapshot + changes, computed from bytes in a private repository: no
 * checkout, no filter, no attribute, no configuration. It was applied to the snapshot and gave the
 * same tree before it is returned. Paths that may not be in it are listed in `leftOut`.
 * When nothing changed, `files` and `bytes` are empty.
 *
 * Throws VivariumError `patch_invalid` when the changes contradict each other or the check fails.
 */
export async function makePatch(
  snapshot: Snapshot,
  changes: readonly Change[],
  options: MakePatchOptions = {},
): Promise<Patch> {
  const format = formatOf(snapshot.startCommit);
  const objects = [join(snapshot.gitDir, 'objects')];
  const { signal } = options;
  const scope = { parent: snapshot.gitDir, format, alternates: objects, signal };
  return withScratch(scope, async (scratch) => {
    const base = await baseFiles(snapshot.tree, scratch.git);
    const leftOut = [...(options.leftOut ?? [])];
    const named = withGoodNames(changes, leftOut);
    const real = realChanges([...changeMap(named).values()], base, format);
    const sorted = await sortOut(real, base, snapshot, scratch, options.include ?? []);
    leftOut.push(...sorted.leftOut);
    const tree = await treeWith(sorted.kept, base, snapshot, scratch);
    const expected = new Map(sorted.kept.map((change) => [change.path, change]));
    await checkDifference(snapshot.tree, tree, expected, scratch);
    const bytes =
      tree === snapshot.tree ? Buffer.alloc(0) : await verifiedDiff(snapshot.tree, tree, scratch);
    return patchOf(
      bytes,
      tree,
      await patchFiles(snapshot.tree, tree, base, expected, scratch.git),
      leftOut,
    );
  });
}

function withGoodNames(changes: readonly Change[], leftOut: LeftOut[]): Change[] {
  return changes.filter((change) => {
    const reason = changeProblem(change);
    if (reason !== undefined) leftOut.push({ path: change.path, reason: `refused: ${reason}` });
    return reason === undefined;
  });
}

/** Without what was only touched, and without deletions of what was never there. */
function realChanges(changes: readonly Change[], base: BaseFiles, format: ObjectFormat): Change[] {
  return changes.filter((change) => {
    const before = base.get(change.path);
    if (change.kind === 'deleted') return before !== undefined;
    return before?.mode !== modeOf(change) || before.id !== blobId(format, change.content);
  });
}

function modeOf(change: Exclude<Change, { kind: 'deleted' }>): FileMode {
  if (change.kind === 'symlink') return '120000';
  return change.executable ? '100755' : '100644';
}

async function treeWith(
  changes: readonly Change[],
  base: BaseFiles,
  snapshot: Snapshot,
  scratch: Scratch,
): Promise<string> {
  if (changes.length === 0) return snapshot.tree;
  checkAgainstBase(changes, base);
  const branch = 'refs/heads/changed';
  const author = { ...START_AUTHOR, seconds: 0 };
  await importCommit(
    { branch, parent: snapshot.startCommit, author, message: '', items: importItems(changes) },
    scratch.git,
  );
  return revParse([`${branch}^{tree}`], scratch.git);
}

/** Deletions first, so that a folder can take the place of a file and the other way round. */
function* importItems(changes: readonly Change[]): Generator<ImportItem, void, undefined> {
  for (const { kind, path } of changes) {
    if (kind === 'deleted') yield { path, mode: 'deleted' };
  }
  for (const change of changes) {
    if (change.kind === 'deleted') continue;
    yield { path: change.path, mode: modeOf(change), content: change.content };
  }
}

/** A new file below a file of the base needs that file's deletion in the list. */
function checkAgainstBase(changes: readonly Change[], base: BaseFiles): void {
  const deleted = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path));
  const written = new Set(changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path));
  for (const path of written) {
    for (const parent of foldersAbove(path)) {
      if (base.has(parent) && !deleted.has(parent)) throw contradiction(path);
    }
  }
  for (const path of base.keys()) {
    if (deleted.has(path)) continue;
    for (const parent of foldersAbove(path)) if (written.has(parent)) throw contradiction(parent);
  }
}

function contradiction(path: string): VivariumError {
  return invalid(`the changes make ${visibleLine(path)} a file and a folder at once`);
}

/** Exactly what was asked for must differ; git drops some names without a word. */
async function checkDifference(
  from: string,
  to: string,
  expected: ReadonlyMap<string, Change>,
  scratch: Scratch,
): Promise<void> {
  let found = 0;
  for await (const difference of diffRaw(from, to, scratch.git)) {
    const change = expected.get(difference.path.toString('utf8'));
    found += 1;
    if (change === undefined || !isAsExpected(change, difference, scratch.format)) {
      throw invalid('the tree that was built is not the tree of the workspace');
    }
  }
  if (found !== expected.size) throw invalid(`${expected.size - found} changes were lost`);
}

function isAsExpected(
  change: Change,
  found: { newMode: string; newId: string },
  format: ObjectFormat,
): boolean {
  if (change.kind === 'deleted') return found.newMode === '000000';
  return found.newMode === modeOf(change) && found.newId === blobId(format, change.content);
}

async function verifiedDiff(from: string, to: string, scratch: Scratch): Promise<Buffer> {
  const bytes = quoteAmbiguousHeaders(await diffPatch(from, to, scratch.git));
  const place = { ...scratch.git, indexFile: scratch.indexFile() };
  await readTree(from, place);
  const refusal = await applyToIndex(bytes, place);
  if (refusal !== undefined)
    throw invalid(
      `the patch does not apply to the snapshot: ${visibleLine(refusal.slice(0, 400))}`,
    );
  if ((await writeTree(place)) !== to) throw invalid('the patch gives another tree than it should');
  return bytes;
}

async function patchFiles(
  from: string,
  to: string,
  base: BaseFiles,
  expected: ReadonlyMap<string, Change>,
  git: GitOptions,
): Promise<PatchFile[]> {
  if (from === to) return [];
  const counts = await diffCounts(from, to, git);
  return counts.map(({ path: bytes, insertions, deletions }) => {
    const path = bytes.toString('utf8');
    const gone = expected.get(path)?.kind === 'deleted';
    const status = gone ? 'deleted' : base.has(path) ? 'modified' : 'added';
    return { path, status, insertions, deletions };
  });
}

async function patchOf(
  bytes: Buffer,
  tree: string,
  files: PatchFile[],
  leftOut: LeftOut[],
): Promise<Patch> {
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    tree,
    files,
    insertions: files.reduce((sum, file) => sum + (file.insertions ?? 0), 0),
    deletions: files.reduce((sum, file) => sum + (file.deletions ?? 0), 0),
    flags: await reviewFlagsAside(bytes),
    leftOut,
  };
}

function invalid(message: string): VivariumError {
  return new VivariumError(
    'patch_invalid',
    message,
    'The changes are still in the record of the session; run `vivarium export` again or report it.',
  );
}
