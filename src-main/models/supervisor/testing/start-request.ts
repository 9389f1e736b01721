import type {
  LibraryModel,
  Machine,
  ModelProfile,
  ServerEngine,
  ServerPlan,
  StartServer,
} from '../../servers/types.ts';

export const CPU_PLAN: ServerPlan = {
  engine: 'llama-server',
  device: 'cpu',
  contextTokens: 4_096,
  sequences: 1,
  gpuLayers: null,
  tensorParallel: 1,
  gpus: [],
  estimate: {
    weightsBytes: 1,
    kvBytesPerToken: 0,
    stateBytesPerSequence: 0,
    kvBytes: 0,
    stateBytes: 0,
    overheadBytes: 0,
    totalBytes: 100_000_000,
  },
  availableBytes: 1_000_000_000,
  fits: true,
  reason: 'For a test.',
  advice: [],
};

const MACHINE: Machine = {
  memory: { totalBytes: 1e9, availableBytes: 1e9 },
  cores: 2,
  gpus: [],
  gpuFault: null,
};

const PROFILE: ModelProfile = {
  name: 'toad',
  preset: 'plain',
  engine: 'llama-server',
  source: { kind: 'auto' },
  device: 'cpu',
  scaffold: 'leaf',
  contextTokens: 4_096,
  inputTokens: null,
  tokensPerTurn: 1_024,
  steps: 10,
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
  name: 'toad',
  addedAt: 0,
  folder: '/',
  copied: false,
  entry: '/',
  files: [],
  sha256: '',
  sums: null,
  facts: {
    format: 'gguf',
    architecture: 'toad',
    parameters: null,
    quantization: 'none',
    weightBytes: 1,
    trainedContextTokens: null,
    layers: {
      total: 1,
      hiddenSize: 1,
      fullAttention: 1,
      sliding: null,
      recurrent: null,
      kvHeads: 1,
      keySize: 1,
      valueSize: 1,
    },
    licences: [],
    chatTemplate: { source: '', sha256: '', tools: false, callFormat: null, thinking: false },
    vocabularySize: null,
    names: [],
  },
  preset: 'plain',
};

/** A start of the stand-in; members as needed. */
export function startRequest(
  engine: ServerEngine,
  changes: Partial<StartServer> & { name?: string; profileChanges?: Partial<ModelProfile> } = {},
): StartServer {
  const { name = 'toad', profileChanges, ...rest } = changes;
  return {
    profile: { ...PROFILE, name, ...profileChanges },
    model: MODEL,
    plan: CPU_PLAN,
    machine: MACHINE,
    engine,
    ownerKind: 'app',
    ...rest,
  };
}
