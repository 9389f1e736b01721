import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Failure, FailureInput, ServerEngineId } from '../../../servers/types.ts';
import { classifyFailure, FAILURE_KINDS } from './classify.ts';

const LOGS = fileURLToPath(new URL('../../../../../test/fixtures/engine-logs/', import.meta.url));

function classifyLog(
  engine: ServerEngineId,
  file: string,
  more: Partial<FailureInput> = {},
): Failure {
  const lines = readFileSync(join(LOGS, file), 'utf8').trimEnd().split('\n');
  const exit = { code: 1, signal: null };
  const failure = classifyFailure(engine, { lines, exit, outOfMemoryKilled: false, ...more });
  if (failure === null) throw new Error(`${file} is not recognised`);
  return failure;
}

/** File, kind, a part of the line that is shown, and with what one more try makes sense. */
type Row = [file: string, kind: string, line: string, retryWith?: Failure['retryWith']];

const VLLM: Row[] = [
  ['gpu-memory-taken', 'gpu-memory-taken', 'Free memory on device (3.22/4.0 GiB)'],
  ['gpu-memory-taken-with-device', 'gpu-memory-taken', 'Free memory on device cuda:0'],
  ['context-too-long', 'context-too-long', 'is 32768', { contextTokens: 32768 }],
  ['context-too-long-with-commas', 'context-too-long', 'is 10,240', { contextTokens: 10240 }],
  ['context-too-long-by-far', 'context-too-long', 'is 544'],
  ['context-too-long-2024', 'context-too-long', 'KV cache (13360)', { contextTokens: 13360 }],
  ['no-room-for-cache', 'no-room-for-cache', 'No available memory for the cache blocks'],
  ['too-many-sequences', 'too-many-sequences', 'max_num_seqs (256)', { sequences: 242 }],
  ['gpu-out-of-memory', 'gpu-out-of-memory', 'Tried to allocate 20.00 MiB'],
  ['architecture-unsupported', 'architecture-unsupported', "['Qwen3_5ForCausalLM']"],
  ['architecture-without-implementation', 'architecture-unsupported', 'ValueError: Qwen2_5_VL'],
  ['model-type-unknown', 'architecture-unsupported', 'model type `qwen3_5`'],
  ['weights-do-not-match', 'weights-do-not-match', "named 'language_model'"],
  ['tokenizer-missing', 'tokenizer-missing', "Can't load tokenizer for '/models/frog'"],
  ['bad-parser', 'bad-value', "argument --tool-call-parser: invalid choice: 'qwen35'"],
  ['bad-parser-late', 'bad-value', 'invalid tool call parser: qwen35'],
  ['unknown-flag', 'unknown-flag', 'unrecognized arguments: --mamba-cache-mode align'],
  ['toolchain-missing', 'toolchain-missing', 'Failed to find C compiler'],
  ['port-taken', 'port-taken', '[Errno 98]', { newPort: true }],
  ['driver-too-old', 'driver-too-old', 'driver on your system is too old'],
  ['gpus-do-not-divide', 'gpus-do-not-divide', 'attention heads (40)'],
  ['too-few-gpus', 'too-few-gpus', 'World size (4)'],
  ['context-beyond-model', 'context-beyond-model', '(65536)', { contextTokens: 40960 }],
  ['gpu-fault', 'gpu-fault', 'an illegal memory access was encountered'],
  ['wants-network', 'wants-network', 'OfflineModeIsEnabled'],
  ['no-gpu', 'no-gpu', 'No CUDA GPUs are available'],
  ['model-damaged', 'model-damaged', 'incomplete metadata'],
  ['quantization-unsupported', 'quantization-unsupported', 'fp8e4nv not supported'],
  ['gpu-unsupported', 'gpu-unsupported', 'Your Tesla T4 GPU has compute capability 7.5'],
  ['gpu-link-failed', 'gpu-link-failed', 'NCCL error in'],
  ['shared-memory-too-small', 'shared-memory-too-small', 'insufficient shared memory'],
  ['start-took-too-long', 'start-took-too-long', 'Timed out waiting for engine core'],
  ['engine-crashed', 'engine-crashed', 'Segfault encountered'],
  ['disk-full', 'disk-full', '[Errno 28] No space left on device'],
  ['not-permitted', 'not-permitted', "Permission denied: '/models/frog/config.json'"],
  ['only-a-wrapper', 'unknown', 'AssertionError: a check that nobody knows'],
];

const SGLANG: Row[] = [
  ['no-room-for-cache', 'no-room-for-cache', 'under --mem-fraction-static=0.88'],
  ['no-room-for-cache-2025', 'no-room-for-cache', 'increase --mem-fraction-static'],
  ['gpus-unbalanced', 'gpus-unbalanced', 'unbalanced'],
  ['port-taken', 'port-taken', 'is used by a process already', { newPort: true }],
  ['gpu-out-of-memory', 'gpu-out-of-memory', 'Tried to allocate 1.34 GiB'],
  ['engine-hangs', 'engine-hangs', 'Watchdog timeout'],
  ['architecture-unsupported', 'architecture-unsupported', "['Qwen3_5ForCausalLM']"],
  ['engine-incomplete', 'engine-incomplete', "No module named 'flashinfer'"],
  ['override-invalid', 'override-invalid', 'json_model_override_args is invalid'],
];

const CONTAINER: Row[] = [
  ['container-without-gpu', 'container-without-gpu', 'could not select device driver'],
  ['image-missing', 'image-missing', 'vivarium-no-such:1'],
  ['docker-unreachable', 'docker-unreachable', '/run/no-such.sock'],
];

const LLAMA_SERVER: Row[] = [
  ['truncated', 'model-damaged', 'data is not within the file bounds'],
  ['truncated-header', 'model-damaged', 'failed to read key-value pairs'],
  ['not-a-gguf', 'model-damaged', 'invalid magic characters'],
  ['unknown-architecture', 'architecture-unsupported', "unknown model architecture: 'qwenx'"],
  ['unknown-tokenizer', 'tokenizer-missing', "unknown tokenizer: 'gptx'"],
  ['missing-tensor', 'weights-do-not-match', "tensor 'blk.0.attn_q.weight' not found"],
  ['missing-file', 'model-file-missing', "failed to open GGUF file 'nothere.gguf'"],
  ['unknown-flag', 'unknown-flag', 'invalid argument: --no-such-flag'],
  ['bad-value', 'bad-value', 'Unknown reasoning format: sometimes'],
  ['bad-number', 'bad-value', '"--ctx-size": stoi'],
  ['context-too-large', 'out-of-memory', 'attempted to allocate 234375.00 MB'],
  ['port-taken', 'port-taken', "couldn't bind HTTP server socket", { newPort: true }],
  ['bad-template', 'chat-template-invalid', 'Parser Error: Expected }} (Got )'],
  ['missing-template', 'bad-value', "failed to open file 'nothere.jinja'"],
];

const LLAMA_SERVER_GPU: Row[] = [
  ['gpu-out-of-memory', 'gpu-out-of-memory', 'cudaMalloc failed: out of memory'],
  ['gpu-fault', 'gpu-fault', 'an illegal memory access was encountered'],
  ['engine-assertion', 'engine-assertion', 'GGML_ASSERT(n_inputs'],
  ['library-missing', 'engine-incomplete', 'libcublas.so.12'],
];

const SETS: [ServerEngineId, string, Row[]][] = [
  ['vllm', 'vllm-gpu', VLLM],
  ['sglang', 'sglang', SGLANG],
  ['llama-server', 'llama-server', LLAMA_SERVER],
  ['llama-server', 'llama-server-gpu', LLAMA_SERVER_GPU],
  ['vllm', 'container', CONTAINER],
];

for (const [engine, folder, rows] of SETS) {
  test.each(rows)(`S03 ${folder}: %s`, (name, kind, line, retryWith = null) => {
    const failure = classifyLog(engine, `${folder}/${name}.log`);
    expect([failure.kind, failure.retryWith]).toEqual([kind, retryWith]);
    expect(failure.line).toContain(line);
    expect(failure.cause).toMatch(/^[A-Zl].*\.$/);
    expect(failure.remedy).toMatch(/\.$/);
  });

  test(`S03 every log of ${folder} is looked at`, () => {
    const logs = readdirSync(join(LOGS, folder)).filter((name) => name.endsWith('.log'));
    expect(logs.toSorted()).toEqual(rows.map(([name]) => `${name}.log`).toSorted());
  });
}

test('S03 every kind has a log, but for those that the real vLLM of another file shows', () => {
  const shown = new Set(SETS.flatMap(([, , rows]) => rows.map(([, kind]) => kind)));
  const without = FAILURE_KINDS.map(({ kind }) => kind).filter((kind) => !shown.has(kind));
  expect(without).toEqual(['cache-space-too-large', 'tool-missing']);
});

test('S03 numbers of the line come back in cause and remedy', () => {
  expect(classifyLog('vllm', 'vllm-gpu/gpu-memory-taken.log')).toMatchObject({
    cause:
      'Only 3.22 of 4.0 GiB of the GPU are free, and the profile asks for 3.6 GiB: another program holds the rest.',
    remedy: 'End the program that uses the GPU (nvidia-smi lists it), or set memoryShare to 0.79.',
    deterministic: true,
  });
  expect(classifyLog('vllm', 'vllm-gpu/context-too-long.log').remedy).toBe(
    'Use a context of 32,768 tokens (contextTokens), or a more strongly quantized model.',
  );
  expect(classifyLog('vllm', 'vllm-gpu/context-too-long-by-far.log').remedy).toBe(
    'Only 544 tokens would fit, too few to work with: free memory or use a more strongly quantized model.',
  );
  expect(classifyLog('vllm', 'vllm-gpu/context-beyond-model.log').cause).toBe(
    'The model was made for 40,960 tokens; the profile asks for 65,536.',
  );
  expect(classifyLog('sglang', 'sglang/no-room-for-cache.log').remedy).toBe(
    'Set memoryShare above 0.912, or use a more strongly quantized model.',
  );
  expect(classifyLog('llama-server', 'llama-server/unknown-flag.log').cause).toBe(
    'This version of the engine does not know --no-such-flag.',
  );
  expect(classifyLog('vllm', 'vllm-gpu/architecture-unsupported.log').cause).toBe(
    'This version of the engine does not know the architecture Qwen3_5ForCausalLM.',
  );
});

test('S03 only faults that a restart can help are worth one', () => {
  const again = FAILURE_KINDS.filter(({ deterministic }) => !deterministic).map(({ kind }) => kind);
  expect(new Set(again)).toEqual(
    new Set([
      'port-taken',
      'gpu-link-failed',
      'start-took-too-long',
      'gpu-fault',
      'engine-assertion',
      'engine-hangs',
      'engine-crashed',
    ]),
  );
  expect(new Set(FAILURE_KINDS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
});

const ended = (more: Partial<FailureInput>): FailureInput => ({
  lines: [],
  exit: { code: null, signal: null },
  outOfMemoryKilled: false,
  ...more,
});

test.each([
  [{ code: null, signal: 'SIGSEGV' }, 'engine-crashed', false],
  [{ code: null, signal: 'SIGABRT' }, 'engine-crashed', false],
  [{ code: 139, signal: null }, 'engine-crashed', false],
  [{ code: null, signal: 'SIGKILL' }, 'killed', false],
  [{ code: 137, signal: null }, 'killed', false],
  [{ code: null, signal: 'SIGILL' }, 'cpu-unsupported', true],
])('S03 an end without a word is told by its signal: %o', (exit, kind, deterministic) => {
  const lines = ['INFO loading', 'last line'];
  const failure = classifyFailure('vllm', ended({ exit, lines }));
  expect(failure).toMatchObject({ kind, deterministic, line: 'last line' });
});

test('S02 a taken port is told where its own words are lost, and not instead of a known cause', () => {
  const exit = { code: 1, signal: null };
  const lost = ended({ exit, lines: ['I srv init: the UI is disabled'], portTaken: true });
  expect(classifyFailure('llama-server', lost)).toEqual({
    kind: 'port-taken',
    line: 'I srv init: the UI is disabled',
    cause: 'The port was taken by another program in the meantime.',
    remedy: 'Start it again; another port is chosen.',
    deterministic: false,
    retryWith: { newPort: true },
  });
  const flag = { ...lost, lines: ['error: invalid argument: --no-such-flag'] };
  expect(classifyFailure('llama-server', flag)?.kind).toBe('unknown-flag');
});

test('S03 a kill for lack of memory is called so, whatever the log says', () => {
  const failure = classifyLog('vllm', 'vllm-gpu/only-a-wrapper.log', { outOfMemoryKilled: true });
  expect(failure).toMatchObject({
    kind: 'killed-out-of-memory',
    deterministic: true,
    cause: 'The system ran out of memory and ended the server.',
  });
});

test('S03 warnings and a clean end are no failure; what is shown is bounded and harmless', () => {
  const warned = ended({
    exit: { code: 0, signal: null },
    lines: [
      'WARNING 03-24 16:02:11 [config.py:514] X has no vLLM implementation and so on',
      '0.00.196.943 W srv    init: failed to do something minor',
      '0.00.196.943 I srv    operator(): cleaning up before exit...',
    ],
  });
  expect(classifyFailure('vllm', warned)).toBe(null);
  expect(classifyFailure('llama-server', ended({}))).toBe(null);
  const long = ended({
    lines: [`\u001b[31mValueError: ${'x'.repeat(100_000)}\u202e`],
    exit: { code: 1, signal: null },
  });
  const failure = classifyFailure('vllm', long);
  expect(failure?.kind).toBe('unknown');
  expect(failure?.line).toMatch(/^ValueError: x+…$/);
  expect(failure?.line.length).toBe(501);
});

test('S03 a server that served has got over what it complained of while it loaded', () => {
  const before = "ValueError: There is no module or parameter named 'x' in Y";
  const lines = [before, 'INFO:     Application startup complete.', 'INFO: 1 request'];
  const crash = ended({ lines, exit: { code: null, signal: 'SIGSEGV' } });
  expect(classifyFailure('vllm', crash)?.kind).toBe('engine-crashed');
  const died = 'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.';
  const exit = { code: 1, signal: null };
  const dead = classifyFailure('vllm', ended({ lines: [...lines, died], exit }));
  expect(dead).toMatchObject({ kind: 'engine-died', deterministic: false });
  // The error that came before is shown, not the one that points to it.
  const stated =
    '(Worker pid=2) ERROR 11-29 [x.py:1] RuntimeError: CPU Generator does not use offset';
  const told = classifyFailure('vllm', ended({ lines: [...lines, stated, died], exit }));
  expect(told).toMatchObject({ kind: 'engine-died', line: stated });
  const cause = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB.';
  const reason = classifyFailure('vllm', ended({ lines: [...lines, died, cause], exit }));
  expect(reason?.kind).toBe('gpu-out-of-memory');
});

test('S03 a line of 100 KB that almost matches costs no time', () => {
  const parts = ['max_num_seqs (', 'GiB KV cache ', 'context_length (1) ', 'quantization method '];
  const lines = parts.map((part) => part.repeat(8_000));
  const started = performance.now();
  classifyFailure('vllm', ended({ lines, exit: { code: 1, signal: null } }));
  classifyFailure('sglang', ended({ lines, exit: { code: 1, signal: null } }));
  expect(performance.now() - started).toBeLessThan(1_000);
});
