import type { ReviewFlag } from '../contract/index.ts';

/** One changed path against the snapshot. The whole patch is a function of snapshot + these. */
export type Change =
  | { path: string; kind: 'file'; executable: boolean; content: Uint8Array }
  | { path: string; kind: 'symlink'; content: Uint8Array }
  | { path: string; kind: 'deleted' };

/** Why a path of the workspace is not in the patch. */
export interface LeftOut {
  path: string;
  /** E.g. `ignored by .gitignore`, `build output`, `nested repository`, `too large`. */
  reason: string;
}

/** The pristine tree a workspace starts from, in a private bare repository on the host. */
export interface Snapshot {
  /** Folder of the private bare repository; holds the snapshot commit and nothing else. */
  gitDir: string;
  /** Real path of the user's repository (top level). */
  repository: string;
  /** HEAD of the user's repository when the snapshot was taken. */
  baseCommit: string;
  /** Tree id of the snapshot; equals HEAD's tree when the working tree is clean. */
  tree: string;
  /** Id of the start commit the workspace shows. */
  startCommit: string;
  files: number;
  bytes: number;
  /** Working tree against HEAD when the snapshot was taken. */
  dirty: { modified: number; untracked: number };
  /** What is in the repository but not in the snapshot, with the reason (submodules, odd names, ...). */
  notCarried: LeftOut[];
}

export interface PatchFile {
  path: string;
  status: 'added' | 'modified' | 'deleted';
  /** `null` for binaries. */
  insertions: number | null;
  deletions: number | null;
}

/** A proposal for human review; `bytes` apply with `git apply` to the snapshot. */
export interface Patch {
  bytes: Uint8Array;
  /** Of `bytes`. */
  sha256: string;
  /** Tree id of snapshot + patch. */
  tree: string;
  files: PatchFile[];
  insertions: number;
  deletions: number;
  flags: ReviewFlag[];
  leftOut: LeftOut[];
}

/** One file to place in a new workspace; the shape of `SeedEntry` of the workspaces room. */
export interface SeedEntry {
  /** Path relative to the root of the tree, `/` between parts, no `..`. */
  path: string;
  /** Git modes: 100644, 100755, 120000 (symlink: content is the target), 40000 (folder). */
  mode: '100644' | '100755' | '120000' | '40000';
  content: Uint8Array;
}
