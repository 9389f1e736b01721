import type { Environment } from '../environment.ts';
import type { Synthesis } from './types.ts';

export type * from './types.ts';

/** Synthesis for an environment. Nothing of it is loaded before it is used. */
export function createSynthesis(environment: Environment): Synthesis {
  return {
    tasks: async (asked) => (await import('./synth-tasks.ts')).synthTasks(environment, asked),
    calibrate: async (asked) => (await import('./calibrate.ts')).calibrate(environment, asked),
  };
}
