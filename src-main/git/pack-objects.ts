import { runGit, streamGit } from './run.ts';
import type { GitOptions } from './run.ts';

/** Everything a commit reaches as one pack, as a stream; nothing is written. */
export function packReachable(
  commit: string,
  options: GitOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const args = ['pack-objects', '--stdout', '--revs', '--quiet'];
  return streamGit(args, {
    ...options,
    config: ['pack.writeBitmaps=false', 'pack.threads=1', 'pack.compression=1'],
    input: Buffer.from(`${commit}\n`),
  });
}

/** Stores a pack in the repository of `options` and indexes it. */
export async function storePack(
  pack: AsyncIterable<Uint8Array>,
  options: GitOptions,
): Promise<void> {
  await runGit(['index-pack', '--stdin'], { ...options, input: pack });
}
