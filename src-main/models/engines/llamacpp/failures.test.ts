import { describe, expect, it } from 'vitest';
import { classifyLlamaCpp } from './failures.ts';
import { LINES } from './protocol.ts';

const exit = (signal: string | null, code: number | null = null) => ({ code, signal });

describe('S03 why a llama.cpp server of ours ended', () => {
  it('S03 tells a fault of the start as the server did, with the first native error line', () => {
    const failure = classifyLlamaCpp({
      lines: [
        'info: llama_model_loader: loaded meta data',
        "error: llama_model_load: error loading model: unknown model architecture: 'qwenX'",
        'error: Failed to load model',
        LINES.failed('architecture_unknown', 'The architecture "qwenX" is not supported.'),
        LINES.next('Use a newer version.'),
      ],
      exit: exit(null, 0),
      outOfMemoryKilled: false,
    });
    expect(failure).toEqual({
      kind: 'architecture_unknown',
      line: "error: llama_model_load: error loading model: unknown model architecture: 'qwenX'",
      cause: 'The architecture "qwenX" is not supported.',
      remedy: 'Use a newer version.',
      deterministic: true,
      retryWith: null,
    });
  });

  it('S03 a window that does not fit is tried once more with half of it', () => {
    const cause = 'Not enough memory: A context size of 131072 is too large for the available VRAM';
    const failure = classifyLlamaCpp({
      lines: [LINES.failed('out_of_memory', cause), LINES.next('Close other programs.')],
      exit: exit(null, 0),
      outOfMemoryKilled: false,
    });
    expect(failure).toMatchObject({
      kind: 'out_of_memory',
      deterministic: true,
      retryWith: { contextTokens: 65_536 },
    });
  });

  it('S02 a taken port is tried again with another one', () => {
    const failure = classifyLlamaCpp({
      lines: [LINES.failed('port_taken', 'The port 8080 is taken.'), LINES.next('x')],
      exit: exit(null, 0),
      outOfMemoryKilled: false,
    });
    expect(failure).toMatchObject({
      kind: 'port_taken',
      deterministic: false,
      retryWith: { newPort: true },
    });
  });

  it.each([
    ['GGML_ASSERT(n_tokens <= n_batch) failed', 'SIGABRT', 'assertion', false],
    ['CUDA error: an illegal memory access was encountered', 'SIGABRT', 'gpu_error', false],
    ['CUDA error: out of memory', 'SIGABRT', 'out_of_memory', true],
    ['ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed', null, 'out_of_memory', true],
    ["terminate called after throwing an instance of 'std::bad_alloc'", null, 'assertion', false],
    [
      'FATAL ERROR: Reached heap limit - JavaScript heap out of memory',
      null,
      'heap_exhausted',
      false,
    ],
    ['', 'SIGSEGV', 'crash', false],
    ['', 'SIGBUS', 'file_damaged', true],
    ['', 'SIGILL', 'cpu_unsupported', true],
    ['', 'SIGKILL', 'killed', false],
  ])('S03 %j with %s is %s', (line, signal, kind, deterministic) => {
    const failure = classifyLlamaCpp({
      lines: ['info: something', line],
      exit: exit(signal),
      outOfMemoryKilled: false,
    });
    expect(failure).toMatchObject({ kind, deterministic, retryWith: null });
    expect(failure?.line).toBe(line === '' ? 'info: something' : line);
  });

  it('S03 the kernel’s word on memory comes before all others', () => {
    const failure = classifyLlamaCpp({ lines: [], exit: exit('SIGKILL'), outOfMemoryKilled: true });
    expect(failure).toMatchObject({ kind: 'out_of_memory', deterministic: true });
  });

  it('says nothing about an end it does not know', () => {
    const lines = ['info: all well'];
    expect(classifyLlamaCpp({ lines, exit: exit(null, 0), outOfMemoryKilled: false })).toBeNull();
  });
});
