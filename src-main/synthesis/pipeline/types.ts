import type { Judges, Task, TreeFile } from '../../evaluation/index.ts';
import type { Shares } from '../select/quotas.ts';
import type {
  BugClass,
  ClassCounts,
  Generator,
  GeneratorName,
  SourceTree,
  Statement,
  StatementFacts,
} from '../types.ts';

/** How the tests of the repository are run. */
export interface VerifyPlan {
  /** Shell text that calls a runner whose single tests can be told, in the repository. */
  command: string;
  /** Local image with all that the tests need. */
  image: string;
  timeoutMs: number;
}

export interface SynthRequest {
  tree: SourceTree;
  /** Folder for the tasks and `synth.json`. */
  out: string;
  plan: VerifyPlan;
  /** Valid tasks that are wanted, those of earlier calls counted. */
  target: number;
  seed: number;
  workers: number;
  /** Runs of each state of a task, and of the tree without a bug. */
  reruns: number;
  /** Test files with failing tests are laid at grading only. */
  hideTests: boolean;
  /** Largest shares of the target by kind; what is above comes last. */
  shares: Shares;
  /** How many of each class there should be, in place of the share; earlier ones count. */
  classes?: ClassCounts | undefined;
  /** See `GeneratorContext`. */
  leastComplexity?: number | undefined;
  onProgress?: ((progress: SynthProgress) => void) | undefined;
}

/** What synthesis needs of the others. */
export interface SynthParts {
  generators: Readonly<Partial<Record<GeneratorName, Generator>>>;
  /** Lends judges; each worker has its own. */
  withJudges<Result>(use: (judges: Judges) => Promise<Result>): Promise<Result>;
  /** Files that a workspace of the task begins with. */
  treeOf(task: Task): AsyncIterable<TreeFile>;
  writeStatement(facts: StatementFacts): Promise<Statement>;
  signal: AbortSignal;
}

/** Why a candidate gave no task. */
export type Refusal =
  | 'nothing_changed'
  | 'no_test_tells'
  | 'collection_error'
  | 'timed_out'
  | 'duplicate'
  | 'base_fails'
  | 'not_judged'
  | 'check_failed';

/** A candidate that was judged, as `synth.json` keeps it. */
export interface TriedCandidate {
  /** sha256 of the changed bytes. */
  id: string;
  generator: GeneratorName;
  method: string;
  bugClass: BugClass;
  /** As the candidate's; `null` = it costs nothing to make it again. */
  origin: string | null;
  /** Files that the bug changes. */
  files: readonly string[];
  /** Of a task: bugs with the same one are near duplicates. */
  effect: string | null;
  /** Name of its task; `null` = none came of it. */
  task: string | null;
  refusal: Refusal | null;
  /** More of the refusal; empty where there is none. */
  detail: string;
}

export type SynthProgress =
  | { kind: 'phase'; text: string }
  | { kind: 'baseline'; steady: number; flaky: readonly string[]; coveredFiles: number | null }
  | { kind: 'tried'; tried: TriedCandidate; validated: number; target: number };

/** Counts of one mutator, or one way of making. */
export interface MethodShare {
  generator: GeneratorName;
  method: string;
  tried: number;
  validated: number;
}

export interface SynthReport {
  target: number;
  tried: number;
  validated: number;
  byMethod: MethodShare[];
  refusals: { refusal: Refusal; count: number }[];
  /** Tests that did not do the same every time without a bug; they are on no list. */
  flaky: readonly string[];
  /** Of this call. */
  seconds: number;
  /** Sum over all workers that tests ran, of this call. */
  testSeconds: number;
  /** `testSeconds` over the time that all workers had. */
  testShare: number;
  /** Valid tasks of this call, by the hour and worker. */
  tasksAnHourPerWorker: number;
  workers: number;
}
