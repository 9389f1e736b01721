import { SMALL_LIMITS, type Bench } from '../../../test/support/workspaces.ts';
import { imageTree, openWorkspace } from '../../workspaces/index.ts';
import type { JudgeParts } from './open-judge.ts';

/** What a judge needs, from the engine of a test; every image is taken as it is named. */
export function benchParts(bench: Bench): JudgeParts {
  return {
    openWorkspace: (options) => openWorkspace(bench.engine, { ...options, owner: bench.owner }),
    readImage: (image, folder) => imageTree(bench.engine, image, folder, { owner: bench.owner }),
    imageOf: ({ image }) => Promise.resolve(image.reference ?? ''),
    limitsOf: () => SMALL_LIMITS,
    signal: new AbortController().signal,
  };
}
