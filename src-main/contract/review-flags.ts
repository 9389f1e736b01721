import { z } from 'zod';

/** Reasons for a human to look twice at a part of a patch. */
export const REVIEW_FLAGS = {
  tests: 'changes tests',
  test_config: 'changes how tests are found or judged',
  ci: 'changes continuous integration',
  lock_file: 'changes a lock file',
  package_scripts: 'changes package manifests or their scripts',
  git_files: 'changes git hooks, attributes or submodules',
  agent_files: 'changes instructions or settings of coding agents or editors',
  container_files: 'changes container or build recipes',
  startup_code: 'adds code that runs by itself when an interpreter or tool starts',
  symlink: 'adds or changes a symbolic link',
  executable: 'makes a file executable',
  binary: 'changes a binary file',
  large: 'is large',
  deleted: 'deletes a file',
  assertions_removed: 'removes assertions',
  tests_skipped: 'skips tests or expects them to fail',
  hidden_characters: 'contains hidden, bidirectional or control characters',
  homoglyphs: 'mixes look-alike letters of different alphabets in one word',
  risky_calls: 'adds network, process or eval calls',
} as const;

export type ReviewFlagKind = keyof typeof REVIEW_FLAGS;

export const reviewFlagSchema = z.object({
  kind: z.enum(Object.keys(REVIEW_FLAGS) as [ReviewFlagKind, ...ReviewFlagKind[]]),
  path: z.string(),
  /** Line in the new file, where one line is meant. */
  line: z.number().int().nullable(),
  /** What exactly was seen, with hidden characters made visible. */
  detail: z.string(),
});

export type ReviewFlag = z.infer<typeof reviewFlagSchema>;
