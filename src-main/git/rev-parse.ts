import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** `git rev-parse` for one thing; its single line of output. */
export async function revParse(args: readonly string[], options: GitOptions): Promise<string> {
  const { stdout } = await runGit(['rev-parse', ...args], options);
  const text = stdout.toString('utf8');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
