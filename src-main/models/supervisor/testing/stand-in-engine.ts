import { fileURLToPath } from 'node:url';
import type {
  Failure,
  LibraryModel,
  Machine,
  ModelProfile,
  ServerEngine,
  ServerPlan,
  StartServer,
} from '../../servers/types.ts';
import type { StandInBehaviour } from './stand-in.ts';

const ENTRY = fileURLToPath(new URL('./stand-in.ts', import.meta.url));

export interface StandInOptions extends Partial<StandInBehaviour> {
  /** Called for each launch; may change what the next one does. */
  onLaunch?: (launch: number) => Partial<StandInBehaviour>;
  /** Port for the given launch instead of the supervisor's. */
  portOf?: (launch: number, port: number) => number;
  choosesPort?: boolean;
  /** Failure for a log that holds `fragment`. */
  failures?: { fragment: string; failure: Partial<Failure> }[];
  plans?: ServerPlan[];
}

/** An engine around the stand-in server. */
export function standInEngine(options: StandInOptions = {}): ServerEngine {
  const { onLaunch, portOf, choosesPort = false, failures = [], plans, ...behaviour } = options;
  let launches = 0;
  return {
    id: 'llama-server',
    choosesPort,
    probe: () =>
      Promise.resolve({
        engine: 'llama-server',
        command: [process.execPath],
        version: '1.0',
        flags: null,
        choices: new Map(),
        shown: 'stand-in 1.0',
      }),
    check: () => [],
    command: (input) => {
      launches += 1;
      plans?.push(input.plan);
      const port = portOf?.(launches, input.port) ?? input.port;
      const wanted: StandInBehaviour = { ...behaviour, ...onLaunch?.(launches), port };
      return {
        kind: 'program',
        argv: [process.execPath, ENTRY, JSON.stringify(wanted)],
        env: {
          PATH: input.env['PATH'] ?? '',
          STAND_IN_KEY: input.key,
          STAND_IN_NAME: input.servedName,
          ...input.profile.environment,
        },
        cwd: '/',
        secrets: [input.key],
      };
    },
    readLine: (line) => {
      const port = /^listening on (\d+)/.exec(line)?.[1];
      if (port !== undefined) return { port: Number(port) };
      return line.startsWith('loading') ? { progress: line } : {};
    },
    reach: async ({ root, key, servedName, signal }) => {
      const response = await fetch(`${root}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      });
      if (!response.ok) return { state: 'foreign', detail: `HTTP ${response.status}` };
      const { data } = (await response.json()) as {
        data?: { id: string; max_model_len: number }[];
      };
      const found = data?.find(({ id }) => id === servedName);
      return found === undefined
        ? { state: 'foreign', detail: 'another model' }
        : { state: 'ready', contextTokens: found.max_model_len, details: {} };
    },
    classify: ({ lines }) => {
      const text = lines.join('\n');
      const found = failures.find(({ fragment }) => text.includes(fragment));
      if (found === undefined) return null;
      const line = lines.find((each) => each.includes(found.fragment)) ?? '';
      return {
        kind: 'known',
        line,
        cause: 'A known cause.',
        remedy: 'A known remedy.',
        deterministic: true,
        retryWith: null,
        ...found.failure,
      };
    },
    figures: async ({ root, signal }) => {
      const response = await fetch(`${root}/metrics`, { signal });
      const { running, generated } = (await response.json()) as Record<string, number>;
      return {
        running: running ?? null,
        waiting: null,
        kvUsed: null,
        promptTokens: null,
        generatedTokens: generated ?? null,
        cacheQueriedTokens: null,
        cacheHitTokens: null,
        firstTokenSecondsSum: null,
        firstTokenCount: null,
      };
    },
  };
}

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
