import { ALL, type FailureKind, LLAMA, PYTHON, SGLANG } from './kind.ts';

const AGAIN = 'Start it again; if it happens again, use another version of the engine.';

/** Faults of the engine itself, which a restart may help. */
export const CRASH_KINDS: readonly FailureKind[] = [
  {
    kind: 'gpu-fault',
    engines: ALL,
    pattern:
      /illegal memory access|misaligned address|unspecified launch failure|device-side assert|CUDA error: (?!out of memory)|Xid \(|GPU is lost|fallen off the bus/,
    cause: () => 'The GPU reported a fault.',
    remedy: () => `${AGAIN} If nvidia-smi no longer lists the GPU, restart the machine.`,
    deterministic: false,
  },
  {
    kind: 'engine-assertion',
    engines: LLAMA,
    pattern: /GGML_ASSERT\(|GGML_ABORT|ggml_abort|terminate called after/,
    cause: () => 'llama.cpp stopped at a check of its own.',
    remedy: () => AGAIN,
    deterministic: false,
  },
  {
    kind: 'engine-hangs',
    engines: SGLANG,
    pattern: /[Ww]atchdog (?:timeout|caught)|watchdog_timeout/,
    cause: () => 'A step took longer than the watchdog of the engine allows.',
    remedy: () => `${AGAIN} The flag --watchdog-timeout raises the limit.`,
    deterministic: false,
  },
  {
    kind: 'engine-crashed',
    engines: PYTHON,
    pattern: /Fatal Python error|Segmentation fault|!!!!!!! Segfault encountered/,
    cause: () => 'A process of the engine crashed.',
    remedy: () => AGAIN,
    deterministic: false,
  },
];

/**
 * What is left behind by a process of the engine that ended without a word; looked for last, since
 * these lines follow every other fault too.
 */
export const LAST_KINDS: readonly FailureKind[] = [
  {
    kind: 'engine-died',
    engines: PYTHON,
    pattern:
      /EngineDeadError|EngineCore died|Engine core proc \S+ died|Worker(?:Proc| proc) \S+ died|Subprocess \S+ \(pid=\d+\) crashed/,
    cause: () => 'A process of the engine ended; the others cannot go on without it.',
    remedy: () => AGAIN,
    deterministic: false,
  },
];

/** Lines that only say that something failed elsewhere: what they stand for comes before them. */
export const WRAPPERS =
  /Engine core initialization failed|\d+ validation errors? for \w+$|AsyncLLM output_handler failed|EngineDeadError|EngineCore (?:encountered a fatal error|failed to start)|Engine core proc \S+ died|WorkerProc (?:failed|hit an exception)|Scheduler hit an exception|Traceback \(most recent call last\)|failed to load model,|exiting due to model loading error|error loading model:? ?$|Received sigquit from a child|Failed core proc|See root cause above/;
