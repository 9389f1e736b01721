import { InsufficientMemoryError, NoBinaryFoundError } from 'node-llama-cpp';
import { messageOf } from '../../../../lib/index.ts';
import type { StartFault } from '../protocol.ts';

/** Why a model cannot be served; crosses to the parent as a message. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly code: 'model_file_invalid' | 'engine_failed';
  readonly fault: StartFault;
  readonly next: string;

  constructor(fault: StartFault, message: string, next: string) {
    super(message);
    this.code = ENGINE_FAULTS.has(fault) ? 'engine_failed' : 'model_file_invalid';
    this.fault = fault;
    this.next = next;
  }
}

/** Faults of the machine or of the engine; all others lie in the file. */
const ENGINE_FAULTS: ReadonlySet<StartFault> = new Set<StartFault>([
  'out_of_memory',
  'engine_binary_missing',
  'gpu_missing',
  'port_taken',
  'load_failed',
]);

interface Known {
  pattern: RegExp;
  fault: StartFault;
  message: (match: RegExpExecArray) => string;
  next: string;
}

const COPY_AGAIN =
  'Copy or download the file again and compare its size and checksum with the source.';
const NEWER_OR_OTHER = 'Use a GGUF of a supported model, or a newer version of Vivarium.';
const LESS_MEMORY =
  'Close other programs, or use a smaller quantisation or a smaller --max-context.';

/** Fragments of messages of llama.cpp and node-llama-cpp, the surest first. */
const KNOWN: readonly Known[] = [
  {
    pattern: /unknown model architecture: '([^']*)'/,
    fault: 'architecture_unknown',
    message: (match) => `The architecture "${match[1] ?? ''}" is not supported by this llama.cpp.`,
    next: NEWER_OR_OTHER,
  },
  {
    pattern: /unknown pre-tokenizer type: '([^']*)'|unknown tokenizer: '([^']*)'/,
    fault: 'tokenizer_unknown',
    message: (match) =>
      `The tokenizer "${match[1] ?? match[2] ?? ''}" is not supported by this llama.cpp.`,
    next: NEWER_OR_OTHER,
  },
  {
    pattern: /cannot find tokenizer vocab|error loading model vocabulary/,
    fault: 'tokenizer_missing',
    message: () => 'The model file has no tokenizer.',
    next: 'Use a complete GGUF of a language model; adapters and projectors cannot be served alone.',
  },
  {
    pattern:
      /not within the file bounds|corrupted or incomplete|failed to read|unexpectedly reached end/,
    fault: 'file_damaged',
    message: () => 'The model file is cut off or damaged.',
    next: COPY_AGAIN,
  },
  {
    pattern: /Invalid GGUF magic/,
    fault: 'file_not_gguf',
    message: () => 'The file is not a GGUF.',
    next: 'Give a model file in the GGUF format.',
  },
  {
    pattern: /missing tensor|wrong number of tensors|invalid split file|ENOENT/,
    fault: 'file_missing',
    message: () => 'A part of the model is missing.',
    next: 'Put all parts of a split GGUF into one folder and give the first one.',
  },
  {
    pattern: /failed to allocate|out of memory|unable to allocate/i,
    fault: 'out_of_memory',
    message: () => 'There is not enough memory for the model.',
    next: LESS_MEMORY,
  },
  {
    pattern: /EADDRINUSE.*?(\d+)?$/,
    fault: 'port_taken',
    message: (match) => `The port ${match[1] ?? ''} is taken.`.replace('  ', ' '),
    next: 'Use another port, or let the system choose one.',
  },
];

/** The file ends too early. */
export function cutOff(): StartFailure {
  return new StartFailure('file_damaged', 'The model file is cut off or damaged.', COPY_AGAIN);
}

/** Finds the cause of a failed start in what was thrown and in what the native code logged. */
export function toStartFailure(error: unknown, nativeErrors: readonly string[]): StartFailure {
  if (error instanceof StartFailure) return error;
  if (error instanceof NoBinaryFoundError) {
    return new StartFailure(
      'engine_binary_missing',
      'There is no llama.cpp binary that runs on this machine.',
      'Run the set-up again (npm ci) on this machine, or use a model behind an http endpoint.',
    );
  }
  if (error instanceof InsufficientMemoryError) {
    return new StartFailure('out_of_memory', `Not enough memory: ${messageOf(error)}`, LESS_MEMORY);
  }
  for (const text of [...nativeErrors, messageOf(error)]) {
    for (const known of KNOWN) {
      const match = known.pattern.exec(text);
      if (match !== null) return new StartFailure(known.fault, known.message(match), known.next);
    }
  }
  const first = nativeErrors[0] ?? messageOf(error);
  return new StartFailure(
    'load_failed',
    `The model cannot be loaded: ${first}`,
    'See the log of the engine.',
  );
}
