import {
  ALL,
  type FailureKind,
  LLAMA,
  numberOf,
  PYTHON,
  retryWithContext,
  SGLANG,
  shownNumber,
  VLLM,
} from './kind.ts';

const VERIFY = 'Check its files: `vivarium models verify`.';

/** The model, its files or its settings do not suit the engine. */
export const MODEL_KINDS: readonly FailureKind[] = [
  {
    kind: 'architecture-unsupported',
    engines: PYTHON,
    pattern:
      /[Mm]odel architectures? \[?['"]?([\w', "]+?)['"]?\]? (?:are|is) not supported for now|(\w+) has no (?:vLLM|SGLang) implementation and|Unsupported architectures?: ?\[?['"]?([\w', ]+)|model type [`'](\w+)[`'] but Transformers does not recognize/i,
    cause: ([, listed, one, other, type]) =>
      `This version of the engine does not know the architecture ${listed ?? one ?? other ?? type ?? ''}.`,
    remedy: () => 'Install a newer version of the engine, or use another engine for this model.',
    deterministic: true,
  },
  {
    kind: 'architecture-unsupported',
    engines: LLAMA,
    pattern: /unknown model architecture: '([^']*)'/,
    cause: ([, name = '']) => `This version of llama.cpp does not know the architecture ${name}.`,
    remedy: () => 'Install a newer version of the engine, or use another engine for this model.',
    deterministic: true,
  },
  {
    kind: 'context-beyond-model',
    engines: PYTHON,
    pattern:
      /max_model_len \(([\d,]+)\) is greater than the derived max_model_len \((?:[^()]*?=)?\[?([\d,]+)|context_length \(([\d,]+)\)(?:.*?)derived context_length \(([\d,]+)/,
    cause: (match) =>
      `The model was made for ${shownNumber(longest(match) ?? 0)} tokens; the profile asks for ${shownNumber(numberOf(match[1] ?? match[3]) ?? 0)}.`,
    remedy: (match) =>
      `Use a context of ${shownNumber(longest(match) ?? 0)} tokens (contextTokens), or raise max_position_embeddings in configOverrides if the model's card says that it can take more.`,
    deterministic: true,
    retryWith: (match) => retryWithContext(longest(match)),
  },
  {
    kind: 'weights-do-not-match',
    engines: PYTHON,
    pattern:
      /There is no module or parameter named '?([^'\s]+)'?|size mismatch for (\S+)|Following weights were not initialized from checkpoint/,
    cause: ([, name, other]) =>
      `The weights do not have the shape that the engine expects of this architecture${where(name ?? other)}.`,
    remedy: () =>
      'Set the architecture in configOverrides, convert the weights, or use another version of the engine.',
    deterministic: true,
  },
  {
    kind: 'weights-do-not-match',
    engines: LLAMA,
    pattern:
      /(?:missing )?tensor '([^']+)' (?:not found|has wrong shape)|missing tensor '([^']+)'|wrong number of tensors/,
    cause: ([, name, other]) =>
      `The file does not have the tensors that this architecture needs${where(name ?? other)}.`,
    remedy: () =>
      'Convert the model again with the llama.cpp version that you run, or fetch it anew.',
    deterministic: true,
  },
  {
    kind: 'tokenizer-missing',
    engines: ALL,
    pattern:
      /Can't load tokenizer|[Cc]ouldn't instantiate the backend tokenizer|tokenizer[\w.]*(?:json|model)['"]?(?: is missing|.*No such file)|unknown pre-tokenizer type|unknown tokenizer|cannot find tokenizer|Tokenizer class \w+ does not exist|failed to tokenize reasoning strings/,
    cause: () => 'The tokenizer is missing or unknown to the engine.',
    remedy: () =>
      'The folder needs tokenizer.json and tokenizer_config.json of the same model; copy them there, then add the model again.',
    deterministic: true,
  },
  {
    kind: 'model-damaged',
    engines: ALL,
    pattern:
      /SafetensorError|HeaderTooLarge|MetadataIncompleteBuffer|incomplete metadata, file not fully covered|InvalidHeader|invalid magic characters|failed to read magic|data is not within (?:the )?file bounds|unexpectedly reached end of file|gguf_init_from_\w+: (?:failed to read|invalid|bad)|PytorchStreamReader failed|JSONDecodeError: /,
    cause: () => 'A file of the model is damaged or cut off.',
    remedy: () => `${VERIFY} Then fetch the file again.`,
    deterministic: true,
  },
  {
    kind: 'model-file-missing',
    engines: ALL,
    pattern:
      /Cannot find any model weights with|does not appear to have a file named (\S+)|failed to open GGUF file|failed to load GGUF split|No such file or directory: '?[^']*\.(?:safetensors|json|gguf|bin|jinja)|Invalid repository ID or local directory|Weight files referenced in index but missing: \{'([^']+)|Repo id must be in the form|no file named (\S+) (?:was )?found/i,
    cause: ([, name, shard, other]) =>
      `A file of the model is missing${where(name ?? shard ?? other)}.`,
    remedy: () => `${VERIFY} Then copy what is missing beside the others.`,
    deterministic: true,
  },
  {
    kind: 'wants-network',
    engines: ALL,
    pattern:
      /OfflineModeIsEnabled|LocalEntryNotFoundError|[Cc]ouldn't connect to ['"]?https?:|outgoing traffic has been disabled|Temporary failure in name resolution/,
    cause: () => 'The engine wanted to fetch something, which it never may.',
    remedy: () =>
      'Whatever it names has to lie in the model folder: add the missing files, then add the model again.',
    deterministic: true,
  },
  {
    kind: 'quantization-unsupported',
    engines: PYTHON,
    pattern:
      /[Qq]uantization method (?:specified in the model config )?\(?['"]?([\w-]+)['"]?\)?.*(?:not supported|does not match)|Unknown quantization method:? ?['"]?([\w-]+)|Cannot find the config file for (\w+)|fp8e4nv not supported in this architecture/,
    cause: ([, name, other, third]) =>
      `The engine cannot run this quantization here${where(name ?? other ?? third)}.`,
    remedy: () => 'Use the model in another quantization, or another version of the engine.',
    deterministic: true,
  },
  {
    kind: 'gpus-do-not-divide',
    engines: PYTHON,
    pattern: /attention heads \(?(\d+)\)? must be divisible by tensor parallel size \(?(\d+)\)?/i,
    cause: ([, heads = '', gpus = '']) =>
      `The ${heads} attention heads of the model cannot be shared among ${gpus} GPUs.`,
    remedy: ([, heads = '']) => `Set tensorParallel to a divisor of ${heads}.`,
    deterministic: true,
  },
  {
    kind: 'chat-template-invalid',
    engines: ALL,
    pattern:
      /TemplateSyntaxError|chat template (?:parsing|parse) error|[Ff]ailed to (?:parse|initialize) chat template|supplied chat template .*(?:failed|not|doesn't exist)|error parsing chat template|chat_templates_init: error/,
    cause: () => 'The chat template cannot be read.',
    remedy: () =>
      'Correct the file that chatTemplate names, or take chatTemplate out of the profile.',
    deterministic: true,
  },
  {
    kind: 'override-invalid',
    engines: VLLM,
    pattern:
      /^hf_overrides\.|hf[-_]overrides.*(?:invalid|cannot be parsed|Expecting)|rope_scaling.*(?:missing|invalid)/i,
    cause: () => "The overrides of the model's configuration are not accepted.",
    remedy: () => 'Correct configOverrides in the profile.',
    deterministic: true,
  },
  {
    kind: 'override-invalid',
    engines: SGLANG,
    pattern: /json_model_override_args.*(?:invalid|Expecting)/i,
    cause: () => "The overrides of the model's configuration are not accepted.",
    remedy: () => 'Correct configOverrides in the profile.',
    deterministic: true,
  },
];

function where(name: string | undefined): string {
  return name === undefined ? '' : ` (${name})`;
}

function longest(match: RegExpExecArray): number | null {
  return numberOf(match[2] ?? match[4]);
}
