/**
 * A task on disk: a Harbor directory (task.toml, instruction.md, environment/, tests/, solution/).
 * What Harbor has no word for stands in `[metadata.vivarium]` of task.toml, so that Harbor's own
 * parser takes every task of ours, and a foreign Harbor task works here without that table.
 */
export interface Task {
  /** Name of its folder, `[A-Za-z0-9._-]+`; unique in its set. */
  name: string;
  /** Absolute. */
  folder: string;
  instruction: string;
  image: TaskImage;
  tree: TaskTree;
  /** Where the repository lies in the workspace, absolute; `/workspace` if the task does not say. */
  workdir: string;
  /** `null` = the run's or the machine's. */
  limits: { cpus: number | null; memoryBytes: number | null; diskBytes: number | null };
  agentTimeoutMs: number | null;
  /** The task asks for a network; it gets none, and preflight says so. */
  wantsNetwork: boolean;
  verifier: TaskVerifier;
  /** What a grader compares results with; `null` = the reward alone decides. */
  expected: ExpectedTests | null;
  /** Free table of task.toml, ours included. */
  metadata: Readonly<Record<string, unknown>>;
  /** sha256 over all files of the directory (names, execute bits, contents): evidence is bound to it. */
  hash: string;
}

export interface TaskImage {
  /** Reference that must be here; `null` = to be built from the Dockerfile. */
  reference: string | null;
  /** Absolute path of `environment/Dockerfile`, where there is one. */
  dockerfile: string | null;
}

/**
 * How the tree comes to be. `archive`: a tar below `environment/` (also what its Dockerfile adds to
 * the image, so that Harbor sees the same). `image`: the files under `workdir` of the image, without
 * `.git`: no history travels.
 */
export type TaskTree = { kind: 'archive'; file: string } | { kind: 'image' };

export interface TaskVerifier {
  /**
   * `patch`: the agent's patch over a fresh tree, in a fresh workspace (our own and SWE-bench kinds).
   * `workspace`: in the agent's own workspace after its end, since the whole state counts
   * (Terminal-Bench; Harbor's `shared`).
   */
  on: 'patch' | 'workspace';
  timeoutMs: number;
  env: Readonly<Record<string, string>>;
  /** How results are read besides the reward files: see `grading/read`. */
  reader: ResultReader;
  /** Glob patterns of files put back as the tree has them before grading. */
  protect: readonly string[];
}

/**
 * `reward`: `/logs/verifier/reward.json` or `reward.txt` alone. `junit`: `/logs/verifier/junit.xml`,
 * `ctrf`: `/logs/verifier/ctrf.json`. `swe-bench`: the log between its markers by the named parser.
 * `swe-bench-pro`: `{tests: [{name, status}]}` in `/logs/verifier/output.json`. `patcheval`: exit
 * codes of its two scripts in `/logs/verifier/patcheval.json`: `{exploit, unit_tests}`, the latter
 * `null` where the image has no unit tests.
 */
export type ResultReader =
  | { kind: 'reward' | 'junit' | 'ctrf' | 'swe-bench-pro' | 'patcheval' }
  | { kind: 'swe-bench'; parser: string; failOnly: boolean };

/** Names as the reader spells them. */
export interface ExpectedTests {
  failToPass: readonly string[];
  passToPass: readonly string[];
}

/** What `readTaskSet` gives: a folder of task directories, or one task directory. */
export interface TaskSet {
  /** Absolute. */
  folder: string;
  tasks: Task[];
  /** sha256 over names and hashes of the tasks. */
  hash: string;
  /** Folders that look like tasks and are none, with the reason. */
  refused: { folder: string; reason: string }[];
}

/** Everything of a task to be written to disk; see `writeTask`. */
export interface NewTask {
  name: string;
  instruction: string;
  /** Reference of the image with all that the tests need. */
  image: string;
  workdir: string;
  /** Files of the tree; `null` = those of the image's workdir. */
  tree: AsyncIterable<TreeFile> | Iterable<TreeFile> | null;
  /** Content of files below `tests/`, by name; `test.sh` must be among them. */
  tests: Readonly<Record<string, Uint8Array | string>>;
  /** The oracle: a patch that `solution/solve.sh` applies; `null` = unknown. */
  fix: Uint8Array | null;
  expected: ExpectedTests | null;
  verifier: Pick<TaskVerifier, 'on' | 'timeoutMs' | 'reader'> & Partial<TaskVerifier>;
  agentTimeoutMs: number | null;
  limits?: Partial<Task['limits']>;
  /** Absolute paths of the image that hold the answer or its judge; see `hiddenPaths`. */
  hide?: readonly string[];
  /** Where it comes from; ends in `[metadata.vivarium]`. */
  source: Readonly<Record<string, string | number | boolean>>;
  keywords?: readonly string[];
}

/** One file of a tree; the shape of the workspaces' and the patch room's SeedEntry. */
export interface TreeFile {
  path: string;
  mode: '100644' | '100755' | '120000';
  content: Uint8Array;
}
