import type { ServerPlan } from '../servers/types.ts';
import { advise } from './advice.ts';
import { type Choice, choose, wantedOf } from './choose.ts';
import { describeChoice, describeRoom, engineName, planned } from './describe.ts';
import { loadedWeightBytes } from './python-memory.ts';
import type { PlanInput } from './setup.ts';

export type { PlanInput } from './setup.ts';

/**
 * Decides before the start where a model goes, with which window and for how many conversations at
 * a time, and estimates what that takes. Chosen is what was asked for if it fits; else fewer
 * conversations, down to 1; else a shorter window, never under 4,096 tokens (or the trained window,
 * if that is shorter); else nothing fits, and the advice says what would help.
 *
 * With `device: auto` the longest window decides, then the GPU is preferred: so a bigger machine
 * never means a shorter window.
 *
 * All sizes are estimates; how they were found is told at the constants of this folder. Pure.
 */
export function makePlan(given: PlanInput): ServerPlan {
  const input = withUsableGpus(given);
  const choice = choose(input);
  const advice = advise(input, choice);
  if (choice === null) return { ...nowhere(input), advice };
  const reason = `${describeChoice(input, choice, wantedOf(input))}${gpuAlone(input, choice)}`;
  return { ...planned(input, choice), reason: withFault(input, reason), advice };
}

/** A GPU is of no use to a program without code for it. */
function withUsableGpus(input: PlanInput): PlanInput {
  const { backends, machine, engine } = input;
  if (backends === undefined || machine.gpus.length === 0) return input;
  if (backends.some((backend) => backend !== 'cpu')) return input;
  const gpuFault = `this ${engineName(engine)} has code for the processor only`;
  return { ...input, machine: { ...machine, gpus: [], gpuFault } };
}

/** Whoever would rather have speed than a long window is told what the GPU holds by itself. */
function gpuAlone(input: PlanInput, { setup, footprint }: Choice): string {
  if (setup.device === 'gpu' || !footprint.fits || input.profile.device !== 'auto') return '';
  const alone = choose({ ...input, profile: { ...input.profile, device: 'gpu' } });
  if (alone === null || !alone.footprint.fits) return '';
  return `; faster with device: gpu, which holds ${describeRoom(alone)}`;
}

/** There is no device of the kind that is needed. */
function nowhere(input: PlanInput): Omit<ServerPlan, 'advice'> {
  const weightsBytes = loadedWeightBytes(input.facts, input.profile);
  return {
    engine: input.engine,
    device: 'gpu',
    ...wantedOf(input),
    gpuLayers: null,
    tensorParallel: 1,
    gpus: [],
    estimate: {
      weightsBytes,
      kvBytesPerToken: 0,
      stateBytesPerSequence: 0,
      kvBytes: 0,
      stateBytes: 0,
      overheadBytes: 0,
      totalBytes: weightsBytes,
    },
    availableBytes: 0,
    fits: false,
    reason: withFault(input, `does not fit: ${whyNowhere(input)}`),
  };
}

function whyNowhere({ engine, version, profile, machine }: PlanInput): string {
  const name = `${engineName(engine)}${version === null ? '' : ` ${version}`}`;
  const { tensorParallel, device } = profile;
  if (version?.includes('cpu') === true && device === 'gpu') {
    return `${name} is a build for processors, and the device asked for is gpu`;
  }
  if (machine.gpus.length === 0) {
    return device === 'gpu'
      ? 'the device asked for is gpu, and there is none to use'
      : `${name} needs a GPU, and there is none to use`;
  }
  return `tensorParallel ${tensorParallel} needs as many equal GPUs, and there are ${machine.gpus.length} in all`;
}

/** What is odd about the GPUs is a likely cause of any disappointment. */
function withFault({ machine, profile }: PlanInput, reason: string): string {
  if (machine.gpuFault === null || profile.device === 'cpu') return reason;
  return `${reason} (${machine.gpuFault.replace(/\.$/, '')})`;
}
