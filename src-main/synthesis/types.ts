import type { TreeFile } from '../evaluation/index.ts';

/** Languages whose source the `mutate` generator reads. */
export type Language = 'python' | 'typescript' | 'tsx' | 'javascript' | 'go';

export const GENERATORS = ['mutate', 'rewrite', 'featadd', 'history'] as const;
export type GeneratorName = (typeof GENERATORS)[number];

/** What kind of mistake a bug is; the ten classes of BugPilot (arXiv 2510.19898). */
export const BUG_CLASSES = [
  'interface',
  'logic',
  'boundary',
  'arguments',
  'attribute',
  'bookkeeping',
  'copy',
  'protocol',
  'filesystem',
  'security',
] as const;
export type BugClass = (typeof BUG_CLASSES)[number];
/** Tasks by class of their bugs. */
export type ClassCounts = Readonly<Partial<Record<BugClass, number>>>;

/** The repository as generators see it: one commit, files only. */
export interface SourceTree {
  repository: string;
  commit: string;
  /** By path, in order of paths. */
  files: ReadonlyMap<string, TreeFile>;
}

/** A file before and after a bug was put in; `null` = not there. */
export interface FileChange {
  path: string;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** Where a bug lies in the tree without it. */
export interface BugPlace {
  path: string;
  /** 1-based. */
  line: number;
  /** Function or class around it, `Class.method`; `null` = none. */
  symbol: string | null;
}

/** A change that may break a test: what generators give and the validator judges. */
export interface Candidate {
  generator: GeneratorName;
  /**
   * What it was made of and with which seed, where that is costly: a later call does not make it again,
   * and it is tried at once, whatever is full.
   */
  origin?: string;
  /** Name of the mutator, or of the way it was made; shares that validate are stated by it. */
  method: string;
  bugClass: BugClass;
  /** The good tree, where it is not the one of the context: that of an earlier commit. */
  base?: SourceTree;
  /** From the good tree to the one with the bug; none = the work on it led to nothing. */
  changes: readonly FileChange[];
  places: readonly BugPlace[];
  /**
   * Tests that are laid over both trees before they run, by path: those of a commit whose code part is
   * undone. Empty where the tests of the tree tell.
   */
  tests: Readonly<Record<string, Uint8Array>>;
  /** What else there is to say of its making; ends in `[metadata.vivarium]`. */
  provenance: Readonly<Record<string, string | number | boolean>>;
}

/** Lines that the tests run, 1-based, by path; `null` = cannot be had here. */
export type Coverage = ReadonlyMap<string, ReadonlySet<number>> | null;

export interface GeneratorContext {
  tree: SourceTree;
  coverage: Coverage;
  /** Same seed, same tree: same candidates in the same order. */
  seed: number;
  signal: AbortSignal;
  /** Origins that earlier calls tried. */
  tried?: ReadonlySet<string>;
  /** `mutate` leaves functions with fewer paths through them alone; SWE-smith leaves those below 3. */
  leastComplexity?: number | undefined;
}

/** Candidates in the order in which they are worth a try; may go on for long. */
export type Generator = (context: GeneratorContext) => AsyncIterable<Candidate>;

/** A test that the bug breaks, with what the runner prints of it. */
export interface FailingTest {
  /** As the reader of results spells it. */
  name: string;
  /** Its part of the output; may be empty. */
  output: string;
}

/** What a statement is written from. */
export interface StatementFacts {
  candidate: Candidate;
  failing: readonly FailingTest[];
  /** Shell text that runs the tests. */
  command: string;
  seed: number;
}

export interface Statement {
  text: string;
  by: 'template' | 'model';
}

/** Let the user's model answer one prompt; for statements and proposals. @throws VivariumError */
export type AskModel = (prompt: { system: string; user: string; seed: number }) => Promise<string>;

/** What an attempt of the user's model left behind. */
export interface Worked {
  /** None = it changed nothing, or did not come to an answer of its own. */
  changes: readonly FileChange[];
  /** It is on record as any other. */
  sessionId: string;
  steps: number;
  /** Its exit reason. */
  ending: string;
}

/**
 * Let the user's model work on a tree through our own scaffold in a workspace.
 * @throws VivariumError when its server answers no more; the signal's reason
 */
export type WorkOnTree = (job: {
  instruction: string;
  files: ReadonlyMap<string, TreeFile>;
  seed: number;
  signal: AbortSignal;
}) => Promise<Worked>;
