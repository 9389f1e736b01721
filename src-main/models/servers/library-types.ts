/** What the files of a model say about it. Read from headers only; weights are never loaded. */
export interface ModelFacts {
  format: 'safetensors' | 'gguf';
  /** As the files name it: `Qwen3ForCausalLM` (safetensors) or `qwen3` (GGUF). */
  architecture: string;
  /** Counted from the tensors' shapes; `null` where a format packs them so that it cannot be. */
  parameters: number | null;
  /** `bfloat16`, `float16`, `Q4_K_M`, `fp8`, `awq 4 bit`, ... */
  quantization: string;
  /** Sum of the weight files' tensors. */
  weightBytes: number;
  trainedContextTokens: number | null;
  layers: LayerFacts;
  /** Every statement found, in order of the files; two that differ are both kept. */
  licences: LicenceStatement[];
  chatTemplate: {
    /** `chat_template.jinja`, `tokenizer_config.json`, `tokenizer.chat_template`. */
    source: string;
    sha256: string;
    /** The template mentions tools. */
    tools: boolean;
    /** Call format that the template shows the model: decides the parser; `null` = not recognised. */
    callFormat: 'hermes' | 'qwen3_coder' | null;
    /** The template handles `<think>`. */
    thinking: boolean;
  };
  vocabularySize: number | null;
  /** Names that help to recognise a model: card title, `general.name`, `base_model`, folder. */
  names: string[];
}

/** What decides the size of the memory of a conversation (KV cache and recurrent state). */
export interface LayerFacts {
  total: number;
  hiddenSize: number;
  /** Layers whose cache grows with every token. */
  fullAttention: number;
  /** Layers that keep a window only; `null` = none. */
  sliding: { layers: number; windowTokens: number } | null;
  /** Layers with a fixed state per sequence (Gated DeltaNet, Mamba); `null` = none. */
  recurrent: { layers: number; bytesPerSequence: number } | null;
  kvHeads: number;
  keySize: number;
  valueSize: number;
}

/** A licence as one place states it, verbatim. */
export interface LicenceStatement {
  /** `README.md (front matter)`, `README.md (text)`, `LICENSE`, `general.license`. */
  source: string;
  licence: string;
}

export interface ModelFile {
  /** Relative to the folder of the model. */
  path: string;
  bytes: number;
  sha256: string;
}

/** A model in the library. On disk: `HOME/models/NAME/model.json`, with `profile.yaml` beside it. */
export interface LibraryModel {
  name: string;
  /** Milliseconds since 1970. */
  addedAt: number;
  /** Absolute folder of the files: where the user keeps them, or `HOME/models/NAME/files`. */
  folder: string;
  copied: boolean;
  /** What an engine is given: the folder (safetensors) or the first part (GGUF). Absolute. */
  entry: string;
  files: ModelFile[];
  /** sha256 over the sorted lines `SHA256  PATH\n`: one name for all of it. */
  sha256: string;
  /** Whether a `SHA256SUMS` lay beside the files, and then held for `checked` of them. */
  sums: { file: string; checked: number } | null;
  facts: ModelFacts;
  /** Preset recognised from the files at import. */
  preset: string;
}

export interface AddOptions {
  /** Default: from the names in the files, made safe; a clash is refused. */
  name?: string;
  /** Copy the files into the library (from a USB stick); default: use them where they are. */
  copy?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: AddProgress) => void;
}

export interface AddProgress {
  phase: 'checking' | 'copying' | 'hashing';
  file: string;
  doneBytes: number;
  totalBytes: number;
}

/** What `verify` found: each file that differs from what was recorded, and how. */
export interface VerifyResult {
  name: string;
  ok: boolean;
  files: number;
  faults: { path: string; fault: 'missing' | 'size differs' | 'sha256 differs' }[];
}

export interface ModelLibrary {
  /** @throws VivariumError `model_file_invalid`, `model_exists`, `disk_full` */
  add(path: string, options?: AddOptions): Promise<LibraryModel>;
  list(): Promise<LibraryModel[]>;
  /** @throws VivariumError `model_not_found`, naming close ones */
  get(name: string): Promise<LibraryModel>;
  verify(
    name: string,
    options?: { signal?: AbortSignal; onProgress?: (progress: AddProgress) => void },
  ): Promise<VerifyResult>;
  /** Files are deleted only if they were copied in. @throws `model_in_use` while its server runs */
  remove(name: string): Promise<{ deletedBytes: number }>;
  /** @throws `model_in_use` while its server runs */
  rename(name: string, to: string): Promise<LibraryModel>;
}
