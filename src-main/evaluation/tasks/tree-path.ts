import { linkPathProblem, pathProblem } from '../../patch/index.ts';
import type { TreeFile } from './types.ts';

/**
 * Why a file of a data set, an archive or an image may not be in a tree; `undefined` when it may.
 * Every such name passes this before it is used.
 */
export function treeProblem({ path, mode }: Pick<TreeFile, 'path' | 'mode'>): string | undefined {
  // What a name that is not UTF-8 was decoded to.
  if (path.includes('\ufffd')) return 'name is not UTF-8';
  return mode === '120000' ? linkPathProblem(path) : pathProblem(path);
}
