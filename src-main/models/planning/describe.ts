import { formatSize } from '../../lib/index.ts';
import type { MemoryEstimate, ModelProfile, ServerEngineId, ServerPlan } from '../servers/types.ts';
import type { Choice, Wanted } from './choose.ts';
import type { PlanInput } from './setup.ts';

const ENGINE_NAMES: Readonly<Record<ServerEngineId, string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  llamacpp: 'llama.cpp',
  'llama-server': 'llama-server',
};

export function engineName(engine: ServerEngineId): string {
  return ENGINE_NAMES[engine];
}

export function number(count: number): string {
  return count.toLocaleString('en-US');
}

function conversations(count: number): string {
  return count === 1 ? '1 conversation' : `${number(count)} conversations`;
}

/** `65,536 tokens of context for 2 conversations`. */
export function describeRoom({ contextTokens, sequences }: Wanted): string {
  return `${number(contextTokens)} tokens of context for ${conversations(sequences)}`;
}

/**
 * The parts of an estimate in one line, for people:
 * `about 12.6 GiB (estimate): weights 8.6 GiB, KV cache 2.0 GiB (32.0 KiB a token), ...`.
 */
export function describeEstimate(estimate: MemoryEstimate): string {
  return `about ${formatSize(estimate.totalBytes)} (estimate): ${describeParts(estimate)}`;
}

function describeParts(estimate: MemoryEstimate): string {
  const { weightsBytes, kvBytes, kvBytesPerToken, stateBytes, overheadBytes } = estimate;
  return [
    `weights ${formatSize(weightsBytes)}`,
    `KV cache ${formatSize(kvBytes)} (${formatSize(kvBytesPerToken)} a token)`,
    ...(stateBytes === 0 ? [] : [`states ${formatSize(stateBytes)}`]),
    `engine ${formatSize(overheadBytes)}`,
  ].join(', ');
}

/** `GPU 0 (NVIDIA GeForce RTX 4090)`, `GPUs 0 and 1 (...)`, `the processor`. */
export function describePlace({ setup, footprint }: Choice, layers: number): string {
  const { gpus, device } = setup;
  if (device === 'cpu') return 'the processor';
  const names = [...new Set(gpus.map(({ name }) => name))].join(', ');
  const indexes = gpus.map(({ index }) => String(index));
  const listed = new Intl.ListFormat('en').format(indexes);
  const where =
    gpus.length === 0 ? 'a GPU' : `GPU${gpus.length > 1 ? 's' : ''} ${listed} (${names})`;
  if (device === 'gpu') return where;
  // Split over both.
  return `${where} with ${footprint.gpuLayers ?? 0} of ${layers} layers, the rest on the processor`;
}

/** One line: where, how much of what is free, and what was made smaller. */
export function describeChoice(input: PlanInput, choice: Choice, wanted: Wanted): string {
  const { footprint } = choice;
  const place = `${engineName(input.engine)} on ${describePlace(choice, input.facts.layers.total)}`;
  const free = formatSize(footprint.availableBytes);
  const about = describeEstimate(footprint.estimate);
  if (!footprint.fits) {
    return `does not fit: ${place} needs ${about}, for ${describeRoom(choice)}; ${free} are usable${lacking(input, choice)}`;
  }
  const changes = [
    ...takes(input, choice),
    ...cuts(input.profile, choice, wanted),
    ...grows(choice),
  ];
  const parts = [`${place}: ${describeRoom(choice)}, ${about}, of ${free}`, ...changes];
  return parts.join('; ');
}

/** An engine that takes its share at once looks full whatever is needed. */
function takes({ profile }: PlanInput, { footprint, setup }: Choice): string[] {
  const { estimate, neededBytes } = footprint;
  if (setup.device !== 'gpu' || neededBytes > 0.95 * estimate.totalBytes) return [];
  const percent = Math.round(profile.memoryShare * 100);
  return [`it takes its share of ${percent} % at once, and needs ${formatSize(neededBytes)}`];
}

/** Why it does not fit although the sizes alone would. */
function lacking({ engine, profile }: PlanInput, { setup, footprint }: Choice): string {
  if (engine !== 'vllm' || footprint.neededBytes > footprint.availableBytes) return '';
  if (setup.device !== 'gpu') return '';
  const percent = Math.round(profile.memoryShare * 100);
  return `, and vLLM starts only when ${percent} % of the GPU are free`;
}

function cuts(profile: ModelProfile, choice: Choice, wanted: Wanted): string[] {
  const asked = profile.contextTokens;
  return [
    ...(wanted.contextTokens < asked
      ? [`the model was trained with ${number(wanted.contextTokens)} tokens, not ${number(asked)}`]
      : []),
    ...(choice.contextTokens < wanted.contextTokens
      ? [`${number(wanted.contextTokens)} tokens do not fit`]
      : []),
    ...(choice.sequences < wanted.sequences
      ? [`${conversations(wanted.sequences)} at a time do not fit`]
      : []),
  ];
}

function grows({ footprint, setup }: Choice): string[] {
  const { growthBytes } = footprint;
  if (growthBytes < 0.02 * footprint.estimate.totalBytes) return [];
  const where = setup.device === 'cpu' ? '' : ' of host memory';
  return [`up to ${formatSize(growthBytes)}${where} more as conversations get long`];
}

/** The members of a plan that a choice decides. */
export function planned(input: PlanInput, choice: Choice): Omit<ServerPlan, 'reason' | 'advice'> {
  const { setup, footprint, contextTokens, sequences } = choice;
  return {
    engine: input.engine,
    device: setup.device,
    contextTokens,
    sequences,
    gpuLayers: footprint.gpuLayers,
    tensorParallel: setup.tensorParallel,
    gpus: setup.gpus.map(({ index }) => index),
    estimate: footprint.estimate,
    availableBytes: footprint.availableBytes,
    fits: footprint.fits,
  };
}
