import { splitNul } from './records.ts';
import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

/**
 * All values of a name in git's configuration, or in one file of it; empty when it is not set.
 * Nothing is written.
 */
export async function configValues(
  name: string,
  options: GitOptions & { configFile?: string },
): Promise<string[]> {
  const { configFile, ...place } = options;
  const from = configFile === undefined ? [] : ['--includes', '--file', configFile];
  const { stdout } = await runGit(['config', '--null', ...from, '--get-all', name], {
    ...place,
    okCodes: [0, 1],
  });
  return splitNul(stdout).map((value) => value.toString('utf8'));
}

/** A yes-or-no setting; `undefined` when it is not set. */
export async function configFlag(name: string, options: GitOptions): Promise<boolean | undefined> {
  const { stdout } = await runGit(['config', '--null', '--type=bool', '--get', name], {
    ...options,
    okCodes: [0, 1],
  });
  const value = splitNul(stdout)[0]?.toString('utf8');
  return value === undefined ? undefined : value === 'true';
}
