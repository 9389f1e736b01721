import type { Grading, TestStatus } from '../../contract/index.ts';
import type { Change, Snapshot } from '../../patch/index.ts';
import type { OpenWorkspace, Workspace } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';

/** What a verifier left behind, bounded; enough to grade again without a container. */
export interface Evidence {
  applied: boolean;
  exitCode: number | null;
  timedOut: boolean;
  outOfMemory: boolean;
  /** Both streams of the verifier as it wrote them, cut in the middle when larger than 32 MiB. */
  log: Uint8Array;
  /** Bytes that were cut out of the log. */
  logCutBytes: number;
  /** `reward.json`, `reward.txt`, `junit.xml`, `ctrf.json`, ...: files of `/logs/verifier`. */
  files: Readonly<Record<string, Uint8Array>>;
  /** Names in `/logs` and `/tests` that were there before the verifier, and were removed. */
  planted: readonly string[];
  /** Protected files that the patch changed and that were put back. */
  restored: readonly string[];
  seconds: number;
}

/** Results by test name; see `parseLog` and the readers. */
export type StatusMap = ReadonlyMap<string, TestStatus>;

export interface GradeRequest {
  task: Task;
  /** Local image id or reference. */
  image: string;
  snapshot: Snapshot;
  /** Against the snapshot, or the bytes of a patch for it. */
  changes: readonly Change[] | Uint8Array;
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  limits: OpenWorkspace['limits'];
  labels: OpenWorkspace['labels'];
  signal: AbortSignal;
}

export interface Graded {
  grading: Grading;
  /** Contents that `grading.evidence` names. */
  blobs: Uint8Array[];
}
