/** Limits of a workspace. All are enforced by the kernel and attested after creation. */
export interface WorkspaceLimits {
  memoryBytes: number;
  cpus: number;
  pids: number;
  /** Size and file count of the volume the repository lives on. */
  diskBytes: number;
  inodes: number;
}

/** One file to place in a new workspace, in the order given; parents come first or are made. */
export interface SeedEntry {
  /** Path relative to the root of the tree, `/` between parts, no `..`. */
  path: string;
  /** Git modes: 100644, 100755, 120000 (symlink: content is the target), 40000 (folder). */
  mode: '100644' | '100755' | '120000' | '40000';
  content: Uint8Array;
}

export interface OpenWorkspace {
  /** Local image reference or id; never pulled. */
  image: string;
  /** Files of the repository, `.git` included, made by the patch room from the snapshot. */
  seed: AsyncIterable<SeedEntry>;
  /** Where the repository lies inside, absolute; default `/workspace`. What the image has there is hidden. */
  root?: string;
  limits: WorkspaceLimits;
  /**
   * `writable`: for tasks judged by the state of the whole container. Commands then run as user 0,
   * since an image's files belong to it, without any capability; the home is `/root`, on the image's
   * disk. The layer they write is bounded by `limits.diskBytes`: each file by the kernel, their sum
   * by a watch that ends the container some seconds after it was passed. `read-only` if unset.
   */
  rootfs?: 'read-only' | 'writable';
  /** Folders to write to besides the repository, absolute: memory disks, each half its size. */
  scratch?: readonly string[];
  /** Container runtime, e.g. `runsc`; the engine's default if unset. */
  runtime?: string;
  /** Session and attempt, for labels. */
  labels: { session: string; attempt: string };
  signal?: AbortSignal;
  /** Called once the workspace handed out has been closed and needs no more care. */
  onRemoved?: () => void;
}

/** A named check of the hardening and how it came out, from outside (inspect) or inside (/proc). */
export interface AttestationRow {
  check: string;
  from: 'engine' | 'inside';
  expected: string;
  found: string;
}

/** Proof of how the workspace is locked down; kept in the record and in provenance. */
export interface Attestation {
  imageId: string;
  runtime: string;
  engine: string;
  rows: AttestationRow[];
}

export interface RunRequest {
  /** Script text, given to `shell -lc` (bash) or `sh -c`. */
  command: string;
  shell?: 'bash' | 'sh';
  /** Working folder, absolute or relative to the repository; default: the repository. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Bytes kept of each stream: that many from the head and that many from the tail. */
  keepBytes?: { head: number; tail: number };
  signal?: AbortSignal;
}

/** Output of one stream, bounded: `head` alone is the whole when `totalBytes <= head.length`. */
export interface CapturedOutput {
  head: Uint8Array;
  /** Last bytes, not overlapping `head`; empty when nothing was dropped. */
  tail: Uint8Array;
  /** True number of bytes the command wrote before it ended. */
  totalBytes: number;
}

export interface RunResult {
  /** Exit code of the shell; `null` when it was ended by a signal. */
  exitCode: number | null;
  /** E.g. `KILL`; `null` when it exited. */
  signal: string | null;
  timedOut: boolean;
  cancelled: boolean;
  /** The kernel killed something of this workspace for memory while it ran. */
  outOfMemory: boolean;
  durationMs: number;
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  /** What the workspace had to do to stay usable, e.g. "the shell channel was killed and reopened". */
  notes: string[];
}

export interface FileStat {
  kind: 'file' | 'folder' | 'symlink' | 'other';
  size: number;
  /** Permission bits, e.g. 0o644. */
  mode: number;
  /** Where a symlink leads after resolving inside the workspace; unset if it dangles. */
  target?: string;
}

export interface FileRead {
  bytes: Uint8Array;
  /** Size of the whole file. */
  totalBytes: number;
  /** Absolute path after links were followed inside the workspace. */
  realPath: string;
  mode: number;
}

export interface FoundFile {
  /** Relative to the folder that was listed. */
  path: string;
  kind: FileStat['kind'];
}

/** One entry of the workspace's tree as seen at export. */
export interface TreeEntry {
  path: string;
  kind: 'file' | 'symlink' | 'other';
  /** Any execute bit of the owner. */
  executable: boolean;
  size: number;
}

/**
 * What changed in the repository folder (`.git` excluded at any depth, and reported).
 * Change is judged by the kernel's ctime, which the workspace's user cannot forge.
 */
export interface TreeChanges {
  /** Everything new or touched since the mark, with bytes (symlink: the target). */
  written: { entry: TreeEntry; content: Uint8Array }[];
  /** Paths that are in the seed or in an earlier export and are now gone. */
  deleted: string[];
  /** What cannot travel: sockets, devices, nested repositories, too large, bad names; with the reason. */
  refused: { path: string; reason: string }[];
}

export interface WorkspaceUsage {
  memoryBytes: number;
  /** Highest value the kernel or our sampling saw; `null` where neither is to be had. */
  peakMemoryBytes: number | null;
  pids: number;
}

/**
 * The sandbox an attempt runs in. Bytes in, bytes out; every result is bounded in memory.
 * Paths are absolute inside the workspace or relative to the repository; `~` is the user's home.
 * No path is ever seen by a shell unquoted, and no path leaves the workspace.
 * Every method throws VivariumError `workspace_lost` once the workspace is gone.
 */
export interface Workspace {
  readonly id: string;
  /** Absolute path of the repository inside. */
  readonly root: string;
  readonly attestation: Attestation;
  /** Never hangs: returns when the shell exits, at the timeout, on cancel, or throws when lost. */
  run(request: RunRequest): Promise<RunResult>;
  /** `undefined` when nothing is there. Follows links inside the workspace. */
  readFile(path: string, options?: { maxBytes?: number }): Promise<FileRead | undefined>;
  /** Writes through links, keeps mode and owner of an existing file, makes parent folders. */
  writeFile(path: string, content: Uint8Array): Promise<{ created: boolean; realPath: string }>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Everything below a folder, `.git` skipped, unordered, at most `maxEntries`. */
  list(
    path: string,
    options: { maxEntries: number },
  ): Promise<{ entries: FoundFile[]; complete: boolean } | undefined>;
  /** Changes since the previous call (the first: since the seed). */
  exportChanges(): Promise<TreeChanges>;
  /** All changes against the seed, read afresh with a complete listing. */
  exportTree(): Promise<TreeChanges>;
  usage(): Promise<WorkspaceUsage>;
  /**
   * Puts files into a folder that was opened as `scratch` (or below the repository). The engine does
   * it: no program inside takes part, and nothing that runs inside can stop or change it.
   */
  place(folder: string, entries: AsyncIterable<SeedEntry>): Promise<void>;
  /** Ends every process inside, those of earlier commands and what they left; files stay. */
  endProcesses(): Promise<void>;
  /** Resolves when the workspace is found to be gone without our doing; never rejects. */
  readonly lost: Promise<string>;
  /** Removes container and volume; safe to call twice and at any time. */
  close(): Promise<void>;
}
