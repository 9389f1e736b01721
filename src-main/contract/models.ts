import { z } from 'zod';

/** Models on disk, their servers, plans and measures, as `vivarium models ... --json` prints them. */

const count = z.number().int();
const orNull = z.number().nullable();

/** A licence as one place states it, verbatim. */
export const licenceStatementSchema = z.object({
  /** `README.md (front matter)`, `README.md (text)`, `LICENSE`, `general.license`. */
  source: z.string(),
  licence: z.string(),
});

/** What decides the size of the memory of a conversation (KV cache and recurrent state). */
export const layerFactsSchema = z.object({
  total: count,
  hiddenSize: count,
  /** Layers whose cache grows with every token. */
  fullAttention: count,
  /** Layers that keep a window only; `null` = none. */
  sliding: z.object({ layers: count, windowTokens: count }).nullable(),
  /** Layers with a fixed state per sequence (Gated DeltaNet, Mamba); `null` = none. */
  recurrent: z.object({ layers: count, bytesPerSequence: z.number() }).nullable(),
  kvHeads: count,
  keySize: count,
  valueSize: count,
});

/** What the files of a model say about it. Read from headers only; weights are never loaded. */
export const modelFactsSchema = z.object({
  format: z.enum(['safetensors', 'gguf']),
  /** As the files name it: `Qwen3ForCausalLM` (safetensors) or `qwen3` (GGUF). */
  architecture: z.string(),
  /** Counted from the tensors' shapes; `null` where a format packs them so that it cannot be. */
  parameters: orNull,
  /** `bfloat16`, `float16`, `Q4_K_M`, `fp8`, `awq 4 bit`, ... */
  quantization: z.string(),
  /** Sum of the tensors in the weight files. */
  weightBytes: z.number(),
  /**
   * Bytes by the type of the tensors, `{ Q4_K: 1000, F32: 20 }`; GGUF only. Engines keep some types
   * twice, so a plan needs to know.
   */
  weightTypes: z.record(z.string(), z.number()).optional(),
  trainedContextTokens: orNull,
  layers: layerFactsSchema,
  /** Every statement found, in order of the files; two that differ are both kept. */
  licences: z.array(licenceStatementSchema),
  chatTemplate: z.object({
    /** `chat_template.jinja`, `tokenizer_config.json`, `tokenizer.chat_template`. */
    source: z.string(),
    sha256: z.string(),
    /** The template mentions tools. */
    tools: z.boolean(),
    /** Call format that the template shows the model: decides the parser; `null` = not recognised. */
    callFormat: z.enum(['hermes', 'qwen3_coder']).nullable(),
    /** The template handles `<think>`. */
    thinking: z.boolean(),
  }),
  vocabularySize: orNull,
  /** Names that help to recognise a model: card title, `general.name`, `base_model`, folder. */
  names: z.array(z.string()),
});

export const modelFileSchema = z.object({
  /** Relative to the folder of the model. */
  path: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});

/** A model in the library. On disk: `HOME/models/NAME/model.json`, with `profile.yaml` beside it. */
export const libraryModelSchema = z.object({
  name: z.string(),
  /** Milliseconds since 1970. */
  addedAt: z.number(),
  /** Absolute folder of the files: where the user keeps them, or `HOME/models/NAME/files`. */
  folder: z.string(),
  copied: z.boolean(),
  /** What an engine is given: the folder (safetensors) or the first part (GGUF). Absolute. */
  entry: z.string(),
  files: z.array(modelFileSchema),
  /** sha256 over the sorted lines `SHA256  PATH\n`: one name for all of it. */
  sha256: z.string(),
  /** Whether a `SHA256SUMS` lay beside the files, and then held for `checked` of them. */
  sums: z.object({ file: z.string(), checked: count }).nullable(),
  facts: modelFactsSchema,
  /** Preset recognised from the files at import. */
  preset: z.string(),
});

/** How far reading or copying the files of a model is. */
export const addProgressSchema = z.object({
  phase: z.enum(['checking', 'copying', 'hashing']),
  file: z.string(),
  doneBytes: z.number(),
  totalBytes: z.number(),
});

/** What `verify` found: each file that differs from what was recorded, and how. */
export const verifyResultSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  files: count,
  faults: z.array(
    z.object({
      path: z.string(),
      fault: z.enum(['missing', 'size differs', 'sha256 differs']),
    }),
  ),
});

export const gpuSchema = z.object({
  index: count,
  uuid: z.string(),
  name: z.string(),
  /** `null` where the driver does not say (`[N/A]`, unified memory). */
  totalBytes: orNull,
  freeBytes: orNull,
  /** `nvidia` is measured by nvidia-smi; others are not supported yet. */
  vendor: z.literal('nvidia'),
  driver: z.string().nullable(),
});

/** What the machine has, as measured now. */
export const machineSchema = z.object({
  memory: z.object({ totalBytes: z.number(), availableBytes: z.number() }),
  /** Cores this process may use (affinity and cgroup quota, rounded down, at least 1). */
  cores: count,
  /** Whether the processor has matrix units (AMX), for which llama.cpp copies weights. */
  amx: z.boolean().optional(),
  gpus: z.array(gpuSchema),
  /** Why there are no GPUs listed although a driver is there; `null` when nothing is odd. */
  gpuFault: z.string().nullable(),
});

/** Kinds of servers that can be started from files. */
export const serverEngineIdSchema = z.enum(['vllm', 'sglang', 'llamacpp', 'llama-server']);

/** Called an estimate wherever it is shown. */
export const memoryEstimateSchema = z.object({
  weightsBytes: z.number(),
  /** Per token and sequence. */
  kvBytesPerToken: z.number(),
  /** Fixed per sequence (recurrent layers). */
  stateBytesPerSequence: z.number(),
  kvBytes: z.number(),
  stateBytes: z.number(),
  overheadBytes: z.number(),
  totalBytes: z.number(),
});

/** What will be started and why. All sizes but `availableBytes` are estimates. */
export const serverPlanSchema = z.object({
  engine: serverEngineIdSchema,
  device: z.enum(['gpu', 'cpu', 'split']),
  contextTokens: count,
  sequences: count,
  /** Layers on the GPU for `split`; `null` otherwise. */
  gpuLayers: orNull,
  tensorParallel: count,
  gpus: z.array(count),
  estimate: memoryEstimateSchema,
  /** Memory that was free for it when the plan was made: of the GPUs used, or of the machine. */
  availableBytes: z.number(),
  fits: z.boolean(),
  /** One line: what was chosen and why. */
  reason: z.string(),
  /** What would make more fit, most useful first; empty when all that was asked for fits. */
  advice: z.array(z.string()),
});

/** Estimate beside what was measured after the start; both are kept with the server's record. */
export const memoryComparisonSchema = z.object({
  estimatedBytes: z.number(),
  measuredBytes: z.number(),
  /** measured / estimated. */
  ratio: z.number(),
});

/** A recognised failure: what is shown, and whether a restart can help. */
export const failureSchema = z.object({
  kind: z.string(),
  /** The first real error line, verbatim (cut, without control characters). */
  line: z.string(),
  cause: z.string(),
  remedy: z.string(),
  /** The same start would fail again: no restart. */
  deterministic: z.boolean(),
  /** Change with which one more try makes sense, e.g. `{ contextTokens: 32768 }`. */
  retryWith: z
    .object({
      contextTokens: count.optional(),
      sequences: count.optional(),
      newPort: z.boolean().optional(),
    })
    .nullable(),
});

/** What is known of a server; `HOME/servers/NAME/state.json` holds it. */
export const serverStatusSchema = z.object({
  name: z.string(),
  /** `lost` = its owner or its process is gone without a stop of ours. */
  state: z.enum(['stopped', 'planning', 'loading', 'ready', 'busy', 'stopping', 'failed', 'lost']),
  /** Milliseconds since 1970 of the last change of `state`. */
  since: z.number(),
  /** What it does now, from its log; `null` when ready or stopped. */
  progress: z.string().nullable(),
  engine: z.string(),
  version: z.string().nullable(),
  /** Process that owns it, see `processIdentity`; `null` when nothing runs. */
  owner: z.string().nullable(),
  /** `keeper` = started in the background by `models start`; `app` = started for a use, and kept while it is used. */
  ownerKind: z.enum(['keeper', 'app']).nullable(),
  pid: orNull,
  /** `http://127.0.0.1:PORT`. */
  address: z.string().nullable(),
  servedName: z.string().nullable(),
  contextTokens: orNull,
  sequences: orNull,
  plan: serverPlanSchema.nullable(),
  memory: memoryComparisonSchema.nullable(),
  /** Time from spawn to ready, and what of it came after the engine first answered. */
  timings: z.object({ readyMs: z.number(), ownMs: z.number() }).nullable(),
  restarts: count,
  failure: failureSchema.nullable(),
  /** The bounded log. */
  logFile: z.string().nullable(),
  /** Processes that use it now (see leases), other than the owner. */
  users: count,
});

/** A server's own figures, from its metrics page; `null` = it does not say. */
export const serverFiguresSchema = z.object({
  running: orNull,
  waiting: orNull,
  /** 0 to 1. */
  kvUsed: orNull,
  /** Counters since its start, in tokens. */
  promptTokens: orNull,
  generatedTokens: orNull,
  cacheQueriedTokens: orNull,
  cacheHitTokens: orNull,
  /** Sum and count of the histogram over the life of the server. */
  firstTokenSecondsSum: orNull,
  firstTokenCount: orNull,
});

/** What a server did since the look before; summed up where samples are kept more coarsely. */
export const sampleIntervalSchema = z.object({
  /** Time covered. */
  ms: z.number(),
  promptTokens: orNull,
  generatedTokens: orNull,
  cacheQueriedTokens: orNull,
  cacheHitTokens: orNull,
  firstTokenSeconds: orNull,
  firstTokenCount: orNull,
});

/** One look at a server, taken each second by its owner. `null` = not known. */
export const serverSampleSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Sum of PSS over its processes. */
  memoryBytes: orNull,
  /** Sum of what the driver books for its processes. */
  gpuBytes: orNull,
  /** Of the GPUs it has memory on, whoever uses them; 0 to 1. */
  gpuUtilization: orNull,
  figures: serverFiguresSchema.nullable(),
  /** Over the last interval, tokens per second. */
  promptPerSecond: orNull,
  generatedPerSecond: orNull,
  /** Over the last interval, 0 to 1. */
  cacheHitShare: orNull,
  firstTokenMs: orNull,
  /** Counts behind the four figures above; `null` for the first look and one after a restart. */
  interval: sampleIntervalSchema.nullable(),
  /** What a person should know now, e.g. that the GPU is lost; `null` when nothing is odd. */
  alert: z.string().nullable(),
});

/** What `vivarium models status` prints of a server: its state and the newest look of the last minute. */
export const serverLookSchema = z.object({
  status: serverStatusSchema,
  sample: serverSampleSchema.nullable(),
});

/** What `vivarium models plan` prints. */
export const planReportSchema = z.object({
  /** As YAML has it, see `docs/profiles.md`. */
  profile: z.record(z.string(), z.unknown()),
  plan: serverPlanSchema,
  /** `vllm 0.33.0 in /opt/vllm`; `null` with the reason in `faults` when it was not found. */
  installation: z.string().nullable(),
  version: z.string().nullable(),
  /** What would make the start fail, one line each; empty = none known. */
  faults: z.array(z.string()),
});

/** What `vivarium models bench` measured; `null` where the server does not say. */
export const benchResultSchema = z.object({
  name: z.string(),
  /** Seconds from start to ready; `null` when it ran already. */
  loadSeconds: orNull,
  /** Tokens per second over a prompt that was never seen. */
  promptTokensPerSecond: orNull,
  generatedTokensPerSecond: orNull,
  firstTokenMs: orNull,
  /** One row per growing turn. */
  turns: z.array(
    z.object({
      turn: count,
      promptTokens: orNull,
      cachedTokens: orNull,
      /** cached / prompt tokens that were sent before. */
      reusedShare: orNull,
      firstTokenMs: orNull,
    }),
  ),
  memory: memoryComparisonSchema.nullable(),
});

export type LicenceStatement = z.infer<typeof licenceStatementSchema>;
export type LayerFacts = z.infer<typeof layerFactsSchema>;
export type ModelFacts = z.infer<typeof modelFactsSchema>;
export type ModelFile = z.infer<typeof modelFileSchema>;
export type LibraryModel = z.infer<typeof libraryModelSchema>;
export type AddProgress = z.infer<typeof addProgressSchema>;
export type VerifyResult = z.infer<typeof verifyResultSchema>;
export type Gpu = z.infer<typeof gpuSchema>;
export type Machine = z.infer<typeof machineSchema>;
export type ServerEngineId = z.infer<typeof serverEngineIdSchema>;
export type MemoryEstimate = z.infer<typeof memoryEstimateSchema>;
export type ServerPlan = z.infer<typeof serverPlanSchema>;
export type MemoryComparison = z.infer<typeof memoryComparisonSchema>;
export type Failure = z.infer<typeof failureSchema>;
export type ServerStatus = z.infer<typeof serverStatusSchema>;
export type ServerState = ServerStatus['state'];
export type ServerFigures = z.infer<typeof serverFiguresSchema>;
export type SampleInterval = z.infer<typeof sampleIntervalSchema>;
export type ServerSample = z.infer<typeof serverSampleSchema>;
export type BenchResult = z.infer<typeof benchResultSchema>;
