import { formatSize } from '../../lib/index.ts';
import type { Machine, ModelFacts, ModelProfile } from '../servers/types.ts';
import { type Choice, choose, longestWindow, wantedOf, type Wanted } from './choose.ts';
import { describeRoom, number } from './describe.ts';
import { isWide } from './python-memory.ts';
import { GIB, gpuMemory, MIB, type PlanInput } from './setup.ts';

/** Bits of a weight in a Q4_K_M file, scales and the wider layers counted. */
const Q4_BITS = 4.85;
/** The same for AWQ and GPTQ, whose table of the vocabulary stays at 16 bits. */
const AWQ_BITS = 5.2;
/** What a driver itself keeps of a device that nobody uses. */
const DRIVER_BYTES = 400 * MIB;

/** A change, told with what it brings. */
interface Remedy {
  text: string;
  input: PlanInput;
}

/**
 * What would make more fit, most useful first. Each line was tried on the same machine: it is given
 * only when it brings more than `choice` has.
 */
export function advise(input: PlanInput, choice: Choice | null): string[] {
  const wanted = wantedOf(input);
  if (choice !== null && hasAll(choice, wanted)) return [];
  const helpful = remedies(input).flatMap(({ text, input: changed }) => {
    const other = choose(changed);
    return other !== null && isMore(other, choice) ? [`${text}: ${describeRoom(other)}`] : [];
  });
  const shorter = choice === null ? [] : shorterContext(choice, wanted);
  const all = [...helpful.slice(0, 2), ...shorter, ...helpful.slice(2)];
  return all.length > 0 ? all : lastResort(input, choice);
}

function hasAll(choice: Choice, wanted: Wanted): boolean {
  if (!choice.footprint.fits) return false;
  return choice.contextTokens >= wanted.contextTokens && choice.sequences >= wanted.sequences;
}

function isMore(other: Choice, choice: Choice | null): boolean {
  if (!other.footprint.fits) return false;
  if (choice === null || !choice.footprint.fits) return true;
  if (other.contextTokens !== choice.contextTokens) {
    return other.contextTokens > choice.contextTokens;
  }
  return other.sequences > choice.sequences;
}

function remedies(input: PlanInput): Remedy[] {
  return [
    ...quantised(input),
    ...smallCache(input),
    ...share(input),
    ...freed(input),
    ...otherDevice(input),
    ...otherEngine(input),
  ];
}

/** A file with fewer bits a weight. */
function quantised(input: PlanInput): Remedy[] {
  const { facts, engine } = input;
  const of = (name: string, quantization: string, bytes: number): Remedy => ({
    text: `use ${name} (about ${formatSize(bytes)} in place of ${formatSize(facts.weightBytes)})`,
    input: { ...input, facts: smaller(facts, quantization, bytes) },
  });
  if (engine === 'vllm' || engine === 'sglang') {
    if (!isWide(facts)) return [];
    return [
      of('an AWQ or GPTQ file of 4 bits', 'awq 4 bit', bytesAt(facts, AWQ_BITS)),
      // Processors have no arithmetic for it.
      ...(input.machine.gpus.length === 0 ? [] : [of('an FP8 file', 'fp8', bytesAt(facts, 8.5))]),
    ];
  }
  const q4 = bytesAt(facts, Q4_BITS);
  // A file that is nearly as small already is not worth another one.
  return q4 > 0.9 * facts.weightBytes ? [] : [of('a Q4_K_M file', 'Q4_K_M', q4)];
}

function bytesAt({ parameters, weightBytes, quantization }: ModelFacts, bits: number): number {
  const wideBytes = /32/.test(quantization) ? 4 : 2;
  return Math.round(((parameters ?? weightBytes / wideBytes) * bits) / 8);
}

function smaller(facts: ModelFacts, quantization: string, weightBytes: number): ModelFacts {
  const { weightTypes: _ofThisFile, ...rest } = facts;
  return { ...rest, quantization, weightBytes };
}

/** Half the memory for conversations, for some exactness. */
function smallCache(input: PlanInput): Remedy[] {
  const { engine, profile, machine } = input;
  if ((engine !== 'vllm' && engine !== 'sglang') || machine.gpus.length === 0) return [];
  if (profile.flags['--kv-cache-dtype'] !== undefined) return [];
  const type = engine === 'vllm' ? 'fp8' : 'fp8_e5m2';
  const flags = { ...profile.flags, '--kv-cache-dtype': type };
  return [
    {
      text: `set the flag --kv-cache-dtype to ${type} (a little less exact)`,
      input: withProfile(input, { flags }),
    },
  ];
}

/** vLLM takes its share at once and does not start when less is free. */
function share(input: PlanInput): Remedy[] {
  if (input.engine !== 'vllm') return [];
  const sizes = input.machine.gpus.map((gpu) => gpuMemory(gpu, input.machine));
  const free = Math.min(...sizes.map(({ freeBytes, totalBytes }) => freeBytes / totalBytes));
  const memoryShare = Math.floor(free * 100 - 1) / 100;
  if (!(memoryShare > 0) || memoryShare >= input.profile.memoryShare) return [];
  return [
    {
      text: `set memoryShare to ${memoryShare}, which is what is free`,
      input: withProfile(input, { memoryShare }),
    },
  ];
}

/** Memory that others hold. */
function freed(input: PlanInput): Remedy[] {
  const { machine } = input;
  const used = machine.gpus.map((gpu) => {
    const { totalBytes, freeBytes } = gpuMemory(gpu, machine);
    return Math.max(0, totalBytes - DRIVER_BYTES - freeBytes);
  });
  const gpuBytes = used.reduce((sum, bytes) => sum + bytes, 0);
  const hostBytes = machine.memory.totalBytes - machine.memory.availableBytes;
  return [
    ...(gpuBytes < GIB || input.profile.device === 'cpu'
      ? []
      : [
          {
            text: `close what occupies the GPU (${formatSize(gpuBytes)} are in use)`,
            input: { ...input, machine: emptied(machine) },
          },
        ]),
    ...(hostBytes < 2 * GIB
      ? []
      : [
          {
            text: `close other programs (${formatSize(hostBytes)} of memory are in use)`,
            input: { ...input, machine: idle(machine) },
          },
        ]),
  ];
}

function emptied(machine: Machine): Machine {
  const gpus = machine.gpus.map((gpu) =>
    gpu.totalBytes === null ? gpu : { ...gpu, freeBytes: gpu.totalBytes - DRIVER_BYTES },
  );
  return { ...machine, gpus };
}

/** A system by itself needs some memory too. */
function idle(machine: Machine): Machine {
  const { totalBytes, availableBytes } = machine.memory;
  const most = Math.max(availableBytes, totalBytes - GIB);
  return { ...machine, memory: { totalBytes, availableBytes: most } };
}

function otherDevice(input: PlanInput): Remedy[] {
  const { device } = input.profile;
  if (input.engine === 'vllm' || input.engine === 'sglang') return [];
  const asked = withProfile(input, { device: 'auto' });
  if (device === 'cpu' && input.machine.gpus.length > 0) {
    return [{ text: 'device: auto uses the GPU as well', input: asked }];
  }
  if (device !== 'gpu') return [];
  return [
    { text: 'device: auto uses the processor for what the GPU cannot hold', input: asked },
    { text: 'device: cpu (slow)', input: withProfile(input, { device: 'cpu' }) },
  ];
}

/** llama.cpp needs no GPU, and shares a model between both. */
function otherEngine(input: PlanInput): Remedy[] {
  if (input.engine !== 'vllm' && input.engine !== 'sglang') return [];
  const { facts, profile } = input;
  const q4 = smaller(facts, 'Q4_K_M', bytesAt(facts, Q4_BITS));
  const changed: ModelProfile = { ...profile, device: 'auto', flags: {} };
  return [
    {
      text: `use a Q4_K_M GGUF (about ${formatSize(q4.weightBytes)}) with the engine llamacpp`,
      input: { ...input, engine: 'llamacpp', profile: changed, facts: { ...q4, format: 'gguf' } },
    },
  ];
}

/** What the conversations that were asked for leave to each. */
function shorterContext({ setup, footprint, sequences }: Choice, wanted: Wanted): string[] {
  if (!footprint.fits || sequences >= wanted.sequences) return [];
  const contextTokens = longestWindow(setup, wanted.sequences, 0, wanted.contextTokens);
  if (contextTokens < 4_096) return [];
  return [
    `set contextTokens to ${number(contextTokens)}: ${describeRoom({ contextTokens, sequences: wanted.sequences })}`,
  ];
}

function lastResort({ machine }: PlanInput, choice: Choice | null): string[] {
  if (choice?.footprint.fits === true) return [];
  if (choice === null) {
    const lacks = machine.gpus.length === 0 ? 'a GPU' : 'more equal GPUs';
    return [`use a smaller model with the engine llamacpp, or a machine with ${lacks}`];
  }
  const { neededBytes, availableBytes } = choice.footprint;
  const missing = Math.max(0, neededBytes - availableBytes);
  const more = missing === 0 ? '' : `, or add about ${formatSize(missing)} of memory`;
  return [`use a smaller model${more}`];
}

function withProfile(input: PlanInput, change: Partial<ModelProfile>): PlanInput {
  return { ...input, profile: { ...input.profile, ...change } };
}
