import type { LaunchInput, LibraryModel, ModelProfile, ServerPlan } from '../servers/types.ts';
import { TADPOLE } from '../engines/llamacpp/testing.ts';

interface Changes extends Partial<Omit<LaunchInput, 'profile' | 'model' | 'plan' | 'machine'>> {
  profile?: Partial<ModelProfile>;
  model?: Partial<LibraryModel>;
  plan?: Partial<ServerPlan>;
  machine?: Partial<LaunchInput['machine']>;
}

/** What the supervisor would hand to the engine for tadpole on the processor. */
export function launchInput({ profile, model, plan, machine, ...rest }: Changes = {}): LaunchInput {
  return {
    installation: {
      engine: 'llamacpp',
      command: [],
      version: '3.0.0',
      flags: null,
      choices: new Map([['backend', ['cpu', 'cuda']]]),
      shown: 'node-llama-cpp 3.0.0',
    },
    profile: { ...PROFILE, ...profile },
    model: { ...MODEL, ...model },
    plan: { ...PLAN, ...plan },
    machine: {
      memory: { totalBytes: 8e9, availableBytes: 4e9 },
      cores: 2,
      gpus: [],
      gpuFault: null,
      ...machine,
    },
    port: 0,
    key: 'key',
    servedName: 'tadpole-nonce',
    cacheFolder: '/nowhere',
    env: process.env,
    ...rest,
  };
}

const PROFILE: ModelProfile = {
  name: 'tadpole',
  preset: 'plain',
  engine: 'llamacpp',
  source: { kind: 'auto' },
  device: 'auto',
  scaffold: 'leaf',
  contextTokens: 2_048,
  inputTokens: null,
  tokensPerTurn: 512,
  steps: 20,
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

const MODEL: LibraryModel = {
  name: 'tadpole',
  addedAt: 0,
  folder: '/nowhere',
  copied: false,
  entry: TADPOLE,
  files: [],
  sha256: '',
  sums: null,
  preset: 'plain',
  facts: {
    format: 'gguf',
    architecture: 'qwen3',
    parameters: 5_246_976,
    quantization: 'Q8_0',
    weightBytes: 5_652_736,
    trainedContextTokens: 2_048,
    layers: {
      total: 4,
      hiddenSize: 256,
      fullAttention: 4,
      sliding: null,
      recurrent: null,
      kvHeads: 2,
      keySize: 64,
      valueSize: 64,
    },
    licences: [],
    chatTemplate: {
      source: 'tokenizer.chat_template',
      sha256: '',
      tools: true,
      callFormat: 'hermes',
      thinking: false,
    },
    vocabularySize: null,
    names: [],
  },
};

const PLAN: ServerPlan = {
  engine: 'llamacpp',
  device: 'cpu',
  contextTokens: 2_048,
  sequences: 1,
  gpuLayers: null,
  tensorParallel: 1,
  gpus: [],
  estimate: {
    weightsBytes: 0,
    kvBytesPerToken: 0,
    stateBytesPerSequence: 0,
    kvBytes: 0,
    stateBytes: 0,
    overheadBytes: 0,
    totalBytes: 0,
  },
  availableBytes: 0,
  fits: true,
  reason: '',
  advice: [],
};
