/** A runner of tests that is made to tell single tests: whatever it is, its verifier leaves junit.xml. */
export interface TestRunner {
  name: string;
  /** Whether a shell command calls it by itself. */
  isIn(command: string): boolean;
  /** The command as `test.sh` runs it. */
  command(command: string): string;
  /** Shell lines before the command. `$tests` and `$out` are folders; see {@link ORDER_SEED}. */
  before: readonly string[];
  /** Shell lines after it. */
  after: readonly string[];
  /** What it prints goes to `$out/output.txt`, for `after` to print. */
  keepsOutput: boolean;
  /** Files of `resources/verifier` that stand beside `test.sh`. */
  files: readonly string[];
  /** Whether {@link ORDER_SEED} shuffles the tests; else all runs have the same order. */
  shuffles: boolean;
  /** Globs of what steers it and that no fix of a bug has to change; `paths`: of the tree. */
  protect(paths: Iterable<string>): string[];
  /** More of each for a run that leaves the lines that tests run; `null` = they cannot be had. */
  lines: Partial<Pick<TestRunner, 'before' | 'after' | 'files'>> | null;
}

/** Variable with the seed of the order of tests; unset = the order of the files. */
export const ORDER_SEED = 'TEST_ORDER_SEED';

/** Result file of `TestRunner.lines`: `{"path": [line, ...]}`. */
export const LINES_FILE = 'lines.json';

/** Whether a shell command calls a program by its name, or its path. */
export function calls(command: string, program: string): boolean {
  return wordOf(program).test(command);
}

/** The command with words after each call of a program. */
export function withWords(command: string, program: string, words: string): string {
  return command.replace(wordOf(program, 'g'), (call) => `${call} ${words}`);
}

function wordOf(program: string, flags = ''): RegExp {
  return new RegExp(`(?<=^|[\\s;&|(/'"])(?:${program})(?=[\\s;&|)'"]|$)`, flags);
}
