import type { Gpu, Machine, ModelFacts, ModelProfile } from '../servers/types.ts';
import { GIB, MIB, type PlanInput } from './setup.ts';

/** A user's card, with what the driver itself takes of it. */
export function card(index: number, totalMib: number, freeMib = totalMib - 583): Gpu {
  return {
    index,
    uuid: `GPU-${index}`,
    name: `NVIDIA Card ${totalMib}`,
    totalBytes: totalMib * MIB,
    freeBytes: freeMib * MIB,
    vendor: 'nvidia',
    driver: '570.133.07',
  };
}

export const CARD_24 = 24_564;
export const CARD_16 = 16_376;
export const CARD_48 = 49_140;

export function machine(memoryGib: number, gpus: Gpu[] = [], freeGib = memoryGib - 2): Machine {
  return {
    memory: { totalBytes: memoryGib * GIB, availableBytes: freeGib * GIB },
    cores: 8,
    gpus,
    gpuFault: null,
  };
}

const COMMON = {
  format: 'safetensors',
  quantization: 'bfloat16',
  licences: [],
  chatTemplate: {
    source: 'chat_template.jinja',
    sha256: '',
    tools: true,
    callFormat: 'hermes',
    thinking: true,
  },
  names: [],
} as const satisfies Partial<ModelFacts>;

/** FrogNano-4B as derived from Qwen3.5-4B: a layer of full attention after three with a state. */
export const NANO: ModelFacts = {
  ...COMMON,
  licences: [],
  names: [],
  architecture: 'Qwen3_5ForCausalLM',
  parameters: 4_205_751_296,
  weightBytes: 8_411_502_592,
  trainedContextTokens: 262_144,
  layers: {
    total: 32,
    hiddenSize: 2_560,
    fullAttention: 8,
    sliding: null,
    recurrent: { layers: 24, bytesPerSequence: 52_690_944 },
    kvHeads: 4,
    keySize: 256,
    valueSize: 256,
  },
  vocabularySize: 248_320,
};

/** FrogMini-14B as derived from Qwen3-14B. */
export const MINI: ModelFacts = {
  ...COMMON,
  licences: [],
  names: [],
  architecture: 'Qwen3ForCausalLM',
  parameters: 14_768_307_200,
  weightBytes: 29_536_614_400,
  trainedContextTokens: 40_960,
  layers: {
    total: 40,
    hiddenSize: 5_120,
    fullAttention: 40,
    sliding: null,
    recurrent: null,
    kvHeads: 8,
    keySize: 128,
    valueSize: 128,
  },
  vocabularySize: 151_936,
};

/** The same model in a file of other weights. */
export const fp8 = (facts: ModelFacts): ModelFacts => ({
  ...facts,
  quantization: 'fp8',
  weightBytes: Math.round((facts.weightBytes * 8.5) / 16),
});

export const q4 = (facts: ModelFacts): ModelFacts => ({
  ...facts,
  format: 'gguf',
  quantization: 'Q4_K_M',
  weightBytes: Math.round(((facts.parameters ?? 0) * 4.85) / 8),
});

export const PROFILE: ModelProfile = {
  name: 'frog',
  preset: 'plain',
  engine: 'vllm',
  source: { kind: 'auto' },
  device: 'auto',
  scaffold: 'leaf',
  contextTokens: 131_072,
  inputTokens: null,
  tokensPerTurn: 8_192,
  steps: 150,
  sampling: {},
  reasoningParser: null,
  callParser: null,
  prefixCaching: true,
  memoryShare: 0.9,
  sequences: 1,
  tensorParallel: 'auto',
  configOverrides: {},
  chatTemplate: null,
  threads: null,
  flags: {},
  environment: {},
  idleMinutes: null,
};

export const MINI_PROFILE: ModelProfile = {
  ...PROFILE,
  contextTokens: 65_536,
  configOverrides: { max_position_embeddings: 65_536 },
};

/** vLLM on the given machine, unless changed. */
export function input(
  change: Partial<Omit<PlanInput, 'profile'>> & { profile?: Partial<ModelProfile> } = {},
): PlanInput {
  const { profile, ...rest } = change;
  return {
    facts: NANO,
    machine: machine(32, [card(0, CARD_24)]),
    engine: 'vllm',
    version: '0.33.0',
    ...rest,
    profile: { ...PROFILE, ...profile },
  };
}
