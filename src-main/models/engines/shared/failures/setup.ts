import { ALL, type FailureKind, LLAMA, PYTHON, VLLM } from './kind.ts';

const NVIDIA_SMI = 'nvidia-smi must list the GPU first.';

/** Flags, ports, drivers and programs. */
export const SETUP_KINDS: readonly FailureKind[] = [
  {
    kind: 'unknown-flag',
    engines: ALL,
    pattern: /unrecognized arguments: (.+)|error: invalid argument: (\S+)|ambiguous option: (\S+)/,
    cause: ([, list, one, other]) =>
      `This version of the engine does not know ${(list ?? one ?? other ?? '').trim()}.`,
    remedy: () => 'Take the flag out of the profile, or install the version that has it.',
    deterministic: true,
  },
  {
    kind: 'bad-value',
    engines: ALL,
    pattern:
      /argument (-[^:]+): (?:invalid|expected|Value)|invalid choice: '?([^'(]+?)'? \(|invalid (?:tool call|reasoning) parser: (\S+)|[Rr]easoning parser '([^']+)' (?:not found|is not)|error while handling argument "([^"]+)"|Invalid JSON string/,
    cause: ([, flag, choice, parser, reasoning, handled]) =>
      `The engine does not accept a value of the profile${named(flag ?? choice ?? parser ?? reasoning ?? handled)}.`,
    remedy: () => 'Correct it in the profile; the line in the log lists what this version accepts.',
    deterministic: true,
  },
  {
    kind: 'port-taken',
    engines: ALL,
    pattern:
      /\[Errno 98\]|EADDRINUSE|[Aa]ddress already in use|couldn't bind HTTP server socket|port_?\w* is used by a process already|port \d+ is (?:already )?in use/,
    cause: () => 'The port was taken by another program in the meantime.',
    remedy: () => 'Start it again; another port is chosen.',
    deterministic: false,
    retryWith: () => ({ newPort: true }),
  },
  {
    kind: 'driver-too-old',
    engines: ALL,
    pattern:
      /NVIDIA driver on your system is too old|CUDA driver version is insufficient|forward compatibility was attempted|PTX was compiled with an unsupported toolchain/,
    cause: () => 'The NVIDIA driver is too old for this engine.',
    remedy: () => 'Install a newer driver, or an engine built for the CUDA version that you have.',
    deterministic: true,
  },
  {
    kind: 'no-gpu',
    engines: ALL,
    pattern:
      /No CUDA GPUs are available|no CUDA-capable device is detected|Failed to infer device type|libcuda\.so\.1: cannot open|Found no NVIDIA driver|CUDA unknown error/,
    cause: () => 'The engine finds no GPU.',
    remedy: () => `${NVIDIA_SMI} After a sleep of the machine a restart may be needed.`,
    deterministic: true,
  },
  {
    kind: 'gpu-unsupported',
    engines: ALL,
    pattern:
      /no kernel image is available for execution|only supported on GPUs with compute capability|requires? compute capability|is not compatible with the current PyTorch installation/,
    cause: () =>
      'The GPU is of a kind that this engine, or this form of the model, does not run on.',
    remedy: () =>
      'Use another quantization (float16 in place of bfloat16 or fp8), or the llama.cpp engine.',
    deterministic: true,
  },
  {
    kind: 'too-few-gpus',
    engines: PYTHON,
    pattern:
      /World size \((\d+)\) is larger than the number of available GPUs \((\d+)\)|invalid device ordinal/,
    cause: ([, wanted, there]) =>
      wanted === undefined
        ? 'The profile asks for a GPU that is not there.'
        : `The profile asks for ${wanted} GPUs; there are ${there ?? ''}.`,
    remedy: () => 'Set tensorParallel to the number of GPUs, or to auto.',
    deterministic: true,
  },
  {
    kind: 'toolchain-missing',
    engines: PYTHON,
    pattern:
      /Failed to find C compiler|Could not find (?:`?nvcc`?|CUDA_HOME)|nvcc:? (?:not found|No such file)|CUDA_HOME environment variable is not set|Python\.h: No such file|(?:Ninja is required|ninja'?:? (?:not found|No such file))|cannot find -lcuda/,
    cause: () => 'The engine has to compile a part of itself and finds no compiler.',
    remedy: () =>
      'Install a C compiler (and the CUDA toolkit where it asks for nvcc) with the Python headers, or use the container image of the engine.',
    deterministic: true,
  },
  {
    kind: 'tool-missing',
    engines: PYTHON,
    pattern: /Command '([\w.-]+)[^']*' returned non-zero exit status 127/,
    cause: ([, tool = '']) => `The engine calls ${tool}, which is not on this machine.`,
    remedy: ([, tool = '']) =>
      `Install the package that holds ${tool}; of Debian, lscpu is in util-linux.`,
    deterministic: true,
  },
  {
    kind: 'container-without-gpu',
    engines: ALL,
    pattern:
      /could not select device driver|nvidia-container-cli: |unknown or invalid runtime name: nvidia/,
    cause: () => 'Docker cannot give the GPU to a container.',
    remedy: () => 'Install the NVIDIA container toolkit, then restart Docker.',
    deterministic: true,
  },
  {
    kind: 'docker-unreachable',
    engines: ALL,
    pattern:
      /Cannot connect to the Docker daemon|permission denied while trying to connect to the .*docker/i,
    cause: () => 'Docker does not answer.',
    remedy: () => 'Start Docker; `vivarium doctor` says what is wrong with it.',
    deterministic: true,
  },
  {
    kind: 'image-missing',
    engines: ALL,
    pattern: /No such image: ?(\S*)|Unable to find image '([^']+)'|pull access denied/,
    cause: ([, name, other]) =>
      `The container image is not on this machine${named(name ?? other)}.`,
    remedy: () => 'Load it from a file: docker load -i IMAGE.tar. Nothing is fetched.',
    deterministic: true,
  },
  {
    kind: 'gpu-link-failed',
    engines: PYTHON,
    pattern: /NCCL error|ncclSystemError|ncclUnhandledCudaError|unhandled system error, NCCL/,
    cause: () => 'The GPUs cannot talk to each other.',
    remedy: () => 'Start it again with one GPU (tensorParallel: 1).',
    deterministic: false,
  },
  {
    kind: 'disk-full',
    engines: ALL,
    pattern: /No space left on device|\[Errno 28\]/,
    cause: () => 'The disk is full.',
    remedy: () => 'Free some space in the data folder and in the temporary folder.',
    deterministic: true,
  },
  {
    kind: 'not-permitted',
    engines: ALL,
    pattern: /PermissionError: \[Errno 13\]|EACCES|Permission denied:? '?([^']*)'?/,
    cause: ([, file]) =>
      `A file may not be read or written${named(file === '' ? undefined : file)}.`,
    remedy: () => 'Give your user the right to read the model and to write the data folder.',
    deterministic: true,
  },
  {
    kind: 'engine-incomplete',
    engines: PYTHON,
    pattern:
      /ModuleNotFoundError: No module named '([^']+)'|ImportError: (.{1,120})|PackageNotFoundError: (.+)/,
    cause: ([, module, reason, pack]) =>
      `A part of the engine's installation is missing${named(module ?? reason ?? pack)}.`,
    remedy: () => 'Install the engine again, in a virtual environment of its own.',
    deterministic: true,
  },
  {
    kind: 'engine-incomplete',
    engines: LLAMA,
    pattern: /error while loading shared libraries: ([^:]+)|NoBinaryFound|symbol lookup error/,
    cause: ([, name]) => `A library that the engine needs is missing${named(name)}.`,
    remedy: () => 'Install the engine again, for this system.',
    deterministic: true,
  },
  {
    kind: 'start-took-too-long',
    engines: VLLM,
    pattern:
      /[Tt]imed out waiting for engine|did not (?:start|become ready) within|VLLM_ENGINE_READY_TIMEOUT_S/,
    cause: () => 'The engine gave its own processes up as too slow.',
    remedy: () =>
      'Close other programs and start it again; VLLM_ENGINE_READY_TIMEOUT_S in the environment of the profile raises the limit.',
    deterministic: false,
  },
];

function named(name: string | undefined): string {
  return name === undefined || name.trim() === '' ? '' : ` (${name.trim()})`;
}
