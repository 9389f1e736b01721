import { visibleLine } from '../../../lib/index.ts';
import type { Failure, FailureInput } from '../../servers/types.ts';

const MAX_LINE = 500;

/** Fault of a start as our server prints it, see `LINES` in protocol.ts. */
const OWN_FAILURE = /vivarium: failed \(([a-z_]+)\): (.*)$/;
const OWN_NEXT = /vivarium: next: (.*)$/;
const NATIVE_ERROR = /\b(error|fatal): (.*)$/i;
const TOO_LARGE_CONTEXT = /context size of (\d+)/i;

const SMALLER = 'Close other programs, or use a smaller quantisation, context or fewer sequences.';

interface Crash {
  kind: string;
  pattern: RegExp;
  cause: string;
  remedy: string;
  deterministic: boolean;
}

/** What llama.cpp prints before it ends itself; the surest first. */
const CRASHES: readonly Crash[] = [
  {
    kind: 'out_of_memory',
    pattern: /(CUDA|HIP|Vulkan).*out of memory|cudaMalloc failed|ErrorOutOfDeviceMemory/i,
    cause: 'The graphics device has no memory left.',
    remedy: 'Free the graphics device, or use a smaller context, fewer layers on it, or the cpu.',
    deterministic: true,
  },
  {
    kind: 'gpu_error',
    pattern: /CUDA error|ggml_cuda|vk::\w+Error|DeviceLost/,
    cause: 'The graphics device or its driver reported an error.',
    remedy:
      'Check the driver (nvidia-smi); if it happens again, restart the machine or use the cpu.',
    deterministic: false,
  },
  {
    kind: 'assertion',
    pattern: /GGML_ASSERT\(|GGML_ABORT|terminate called/,
    cause: 'llama.cpp stopped itself because a check of its own failed.',
    remedy: 'Start it again; if it happens at the same place, use another GGUF of this model.',
    deterministic: false,
  },
  {
    kind: 'heap_exhausted',
    pattern: /JavaScript heap out of memory/,
    cause: 'The server process ran out of heap.',
    remedy: 'Start it again with a smaller context or fewer sequences.',
    deterministic: false,
  },
  {
    kind: 'out_of_memory',
    pattern: /failed to allocate|unable to allocate|std::bad_alloc|cannot allocate memory/i,
    cause: 'There is not enough memory for the model.',
    remedy: SMALLER,
    deterministic: true,
  },
];

/** What the signal of a crash says when nothing was printed. */
const SIGNALS: Readonly<Record<string, Omit<Crash, 'pattern'>>> = {
  SIGSEGV: {
    kind: 'crash',
    cause: 'The native code of llama.cpp crashed (SIGSEGV).',
    remedy: 'Start it again; if it happens at the same place, use another GGUF of this model.',
    deterministic: false,
  },
  SIGABRT: {
    kind: 'assertion',
    cause: 'llama.cpp stopped itself (SIGABRT).',
    remedy: 'Start it again; if it happens at the same place, use another GGUF of this model.',
    deterministic: false,
  },
  SIGBUS: {
    kind: 'file_damaged',
    cause: 'The model file became shorter, or its disk went away, while it was in use (SIGBUS).',
    remedy: 'Check the disk and verify the files of the model.',
    deterministic: true,
  },
  SIGILL: {
    kind: 'cpu_unsupported',
    cause: 'The processor lacks an instruction that this build of llama.cpp uses (SIGILL).',
    remedy: 'Use another engine, such as a llama-server built on this machine.',
    deterministic: true,
  },
  SIGKILL: {
    kind: 'killed',
    cause: 'Something outside killed the server (SIGKILL).',
    remedy: 'Start it again; the system may have run short of memory.',
    deterministic: false,
  },
};

/**
 * Why our llama.cpp server ended, from its output and the way it went; `null` when nothing is known.
 */
export function classifyLlamaCpp({ lines, exit, outOfMemoryKilled }: FailureInput): Failure | null {
  if (outOfMemoryKilled) return killedForMemory(lines);
  return ownFailure(lines) ?? crashOf(lines) ?? signalOf(lines, exit?.signal ?? null);
}

function killedForMemory(lines: readonly string[]): Failure {
  return {
    kind: 'out_of_memory',
    line: shown(firstError(lines) ?? 'killed by the kernel'),
    cause: 'The kernel killed the server because the machine ran out of memory.',
    remedy: SMALLER,
    deterministic: true,
    retryWith: null,
  };
}

function ownFailure(lines: readonly string[]): Failure | null {
  for (const [index, line] of lines.entries()) {
    const match = OWN_FAILURE.exec(line);
    if (match === null) continue;
    const [, kind = 'load_failed', cause = ''] = match;
    const next = OWN_NEXT.exec(lines[index + 1] ?? '')?.[1] ?? 'See the log of the server.';
    return {
      kind,
      line: shown(firstError(lines) ?? line),
      cause,
      remedy: next,
      // All of these follow from the files, the settings or the machine.
      deterministic: kind !== 'port_taken',
      retryWith: retryFor(kind, cause),
    };
  }
  return null;
}

function retryFor(kind: string, cause: string): Failure['retryWith'] {
  if (kind === 'port_taken') return { newPort: true };
  const tokens = Number(TOO_LARGE_CONTEXT.exec(cause)?.[1] ?? 0);
  return kind === 'out_of_memory' && tokens > 1 ? { contextTokens: Math.floor(tokens / 2) } : null;
}

function crashOf(lines: readonly string[]): Failure | null {
  for (const line of lines) {
    const crash = CRASHES.find(({ pattern }) => pattern.test(line));
    if (crash === undefined) continue;
    const { kind, cause, remedy, deterministic } = crash;
    return { kind, line: shown(line), cause, remedy, deterministic, retryWith: null };
  }
  return null;
}

function signalOf(lines: readonly string[], signal: string | null): Failure | null {
  const known = SIGNALS[signal ?? ''];
  if (known === undefined) return null;
  const line = firstError(lines) ?? lines.findLast((text) => text.trim() !== '') ?? '';
  return { ...known, line: shown(line), retryWith: null };
}

/** The first error of the native code says more than our own summary of it. */
function firstError(lines: readonly string[]): string | undefined {
  return lines.find((line) => NATIVE_ERROR.test(line));
}

function shown(line: string): string {
  return visibleLine(line).slice(0, MAX_LINE);
}
