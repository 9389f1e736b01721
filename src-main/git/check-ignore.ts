import { splitNul } from './records.ts';
import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** The rule that decides over a path. */
export interface IgnoreRule {
  /** File the rule stands in, as git names it. */
  source: string;
  line: number;
  pattern: string;
}

/**
 * For each path the rule that ignores it, or `undefined`. Paths are judged by the ignore files in
 * the working tree of `options` alone; whether they are tracked does not matter.
 */
export async function ignoreRules(
  paths: readonly string[],
  options: GitOptions,
): Promise<(IgnoreRule | undefined)[]> {
  if (paths.length === 0) return [];
  const args = ['check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'];
  const { stdout } = await runGit(args, {
    ...options,
    // Behind `./` a name that begins with a colon is not taken for a pattern.
    input: Buffer.from(paths.map((path) => `./${path}\0`).join('')),
    okCodes: [0, 1],
  });
  const fields = splitNul(stdout).map((field) => field.toString('utf8'));
  if (fields.length !== paths.length * 4) throw new Error('unexpected output of git check-ignore');
  return paths.map((_, at) => ruleOf(fields.slice(at * 4, at * 4 + 4)));
}

function ruleOf(fields: readonly string[]): IgnoreRule | undefined {
  const [source = '', line = '', pattern = ''] = fields;
  // A rule that begins with `!` says that the path is not ignored.
  if (source === '' || pattern.startsWith('!')) return undefined;
  return { source, line: Number(line), pattern };
}
