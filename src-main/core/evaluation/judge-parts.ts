import type { JudgeParts } from '../../evaluation/index.ts';
import { fitLimits, probeEngine } from '../../workspaces/index.ts';
import type { Environment } from '../environment.ts';
import { imageOf } from './run-parts.ts';

/** What judging tasks needs, of this machine's engine. */
export async function judgeParts(
  environment: Environment,
  signal: AbortSignal,
): Promise<JudgeParts> {
  const machine = await probeEngine(await environment.engine());
  return {
    openWorkspace: (options) => environment.openWorkspace(options),
    readImage: (image, folder) => environment.imageTree(image, folder, signal),
    imageOf: (task) => imageOf(environment, task),
    limitsOf: ({ limits }) => {
      const asked = Object.entries(limits).filter(([, value]) => value !== null);
      return fitLimits(Object.fromEntries(asked), machine).limits;
    },
    signal,
  };
}
