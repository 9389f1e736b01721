import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectFormat } from './environment.ts';

/** Content of the `config` of a git folder of ours. */
export function gitConfigText(options: {
  format: ObjectFormat;
  bare: boolean;
  more?: readonly string[];
}): string {
  const sha256 = options.format === 'sha256';
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tfilemode = true',
    `\tbare = ${options.bare}`,
    ...(sha256 ? ['[extensions]', '\tobjectFormat = sha256'] : []),
    ...(options.more ?? []),
    '',
  ].join('\n');
}

/**
 * Makes an empty git folder at `dir` (which may exist) without a process: HEAD on the unborn branch
 * `main`, no hooks, no templates.
 */
export async function makeGitDir(dir: string, format: ObjectFormat): Promise<void> {
  await mkdir(join(dir, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  await mkdir(join(dir, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(dir, 'refs', 'heads'), { recursive: true, mode: 0o700 });
  await mkdir(join(dir, 'info'), { recursive: true, mode: 0o700 });
  const own = { mode: 0o600 };
  await writeFile(join(dir, 'config'), gitConfigText({ format, bare: true }), own);
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n', own);
}
