import { describe, expect, it } from 'vitest';
import type { Installation, LaunchInput } from '../../servers/types.ts';
import { LINES } from './protocol.ts';
import { toFigures } from './reach.ts';
import { createLlamaCppEngine } from './server-engine.ts';
import { launchInput } from '../../testing/launch.ts';

const engine = createLlamaCppEngine();
const GPU = {
  index: 1,
  uuid: 'GPU-0c8e',
  name: 'NVIDIA X',
  totalBytes: null,
  freeBytes: null,
  vendor: 'nvidia',
  driver: null,
} as const;

function faults(
  change: Partial<LaunchInput['profile']>,
  installation?: Partial<Installation>,
): string[] {
  const input = launchInput({ profile: change });
  return engine.check(input.profile, { ...input.installation, ...installation }, input.model);
}

describe('the llama.cpp engine', () => {
  it('finds the built-in program with its version and backends, without loading it', async () => {
    const { profile } = launchInput();
    const found = await engine.probe(profile, { env: {} });
    expect(found).toMatchObject({ engine: 'llamacpp', flags: null });
    expect(found.version).toMatch(/^3\.\d+\.\d+$/);
    expect(found.choices.get('backend')).toContain('cpu');
    expect(found.shown).toMatch(/^node-llama-cpp 3\.\d+\.\d+ \(llama\.cpp \S+; CPU/);
    const maps = (await import('node:fs')).readFileSync('/proc/self/maps', 'latin1');
    expect(maps).not.toContain('llama-addon');
  });

  it('makes the start message of a plan, the key outside of environment and words', () => {
    const input = launchInput({
      profile: { threads: 3, chatTemplate: '/t.jinja', tokensPerTurn: 900 },
      plan: { device: 'split', gpuLayers: 12, contextTokens: 4_096, sequences: 2 },
      key: 'secret-key',
      servedName: 'tadpole-1a2b',
    });
    const command = engine.command(input);
    expect(command).toMatchObject({
      kind: 'child',
      secrets: ['secret-key'],
      start: {
        kind: 'start',
        file: input.model.entry,
        key: 'secret-key',
        name: 'tadpole-1a2b',
        port: 0,
        device: 'gpu',
        gpuLayers: 12,
        contextTokens: 4_096,
        mayShrink: false,
        trainedContextTokens: null,
        threads: 3,
        parallel: 2,
        chatTemplate: { file: '/t.jinja' },
        tokensPerTurn: 900,
        prefixCaching: true,
      },
    });
    expect(JSON.stringify(command.env)).not.toContain('secret-key');
  });

  it('S08 gives the child its allow-list, the devices of the plan and what the profile adds', () => {
    const input = launchInput({
      env: {
        PATH: '/bin',
        HTTP_PROXY: 'http://p',
        LD_LIBRARY_PATH: '/x',
        PYTHONPATH: '/x',
        VLLM_PORT: '1',
        CUDA_VISIBLE_DEVICES: '0',
      },
      profile: { environment: { GGML_CUDA_NO_PINNED: '1', HTTP_PROXY: 'http://wanted' } },
      plan: { device: 'gpu', gpus: [1] },
      machine: { gpus: [GPU] },
    });
    expect(engine.command(input).env).toEqual({
      PATH: '/bin',
      NO_PROXY: '127.0.0.1',
      CUDA_VISIBLE_DEVICES: 'GPU-0c8e',
      GGML_CUDA_NO_PINNED: '1',
      HTTP_PROXY: 'http://wanted',
    });
  });

  it('S03 finds what a profile asks for in vain before the start', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ contextTokens: 2_049 })).toEqual([
      'contextTokens is 2049, but the model was trained with 2048.',
    ]);
    expect(
      faults({ contextTokens: 4_096, configOverrides: { max_position_embeddings: 4_096 } }),
    ).toEqual([]);
    expect(faults({ configOverrides: { rope_theta: 1 } })).toEqual([
      'configOverrides: rope_theta cannot be changed in a GGUF.',
    ]);
    expect(faults({ flags: { '--enforce-eager': true } })).toEqual([
      'llamacpp has no flag --enforce-eager; flags are for engines that are programs.',
    ]);
    expect(faults({ source: { kind: 'program', file: '/x' } })).toHaveLength(1);
    const cpuOnly = { choices: new Map([['backend', ['cpu']]]) };
    expect(faults({ device: 'gpu' }, cpuOnly)).toEqual([
      'The device is gpu, but this installation has binaries for the cpu only.',
    ]);
    const input = launchInput();
    const folder = {
      ...input.model,
      facts: { ...input.model.facts, format: 'safetensors' as const },
    };
    expect(engine.check(input.profile, input.installation, folder)).toEqual([
      'llama.cpp serves GGUF files; tadpole is safetensors.',
    ]);
  });

  it.each([
    [LINES.progress('loading the model: 30 %'), { progress: 'loading the model: 30 %' }],
    [LINES.listening(40_123), { port: 40_123, progress: 'listening' }],
    [LINES.failed('load_failed', 'x'), {}],
    [LINES.next('x'), {}],
    [
      'info: load_tensors: loading model tensors, this can take a while...',
      { progress: 'loading the weights' },
    ],
    [
      'info: llama_context: constructing llama_context',
      { progress: 'making room for the conversation' },
    ],
    ['info: print_info: n_layer = 4', {}],
  ])('reads %j', (line, reading) => {
    expect(engine.readLine(line)).toEqual(reading);
  });

  it('reads its figures, all tokens that came in counted like vLLM does', () => {
    const page = [
      '# TYPE llamacpp:prompt_tokens_total counter',
      'llamacpp:prompt_tokens_total 100',
      'llamacpp:prompt_tokens_cached_total 300',
      'llamacpp:tokens_predicted_total 50',
      'llamacpp:requests_processing 1',
      'llamacpp:requests_deferred 2',
      'llamacpp:kv_cache_usage_ratio 0.25',
      'llamacpp:time_to_first_token_seconds_sum 1.5',
      'llamacpp:time_to_first_token_seconds_count 3',
      '',
    ].join('\n');
    expect(toFigures(page)).toEqual({
      running: 1,
      waiting: 2,
      kvUsed: 0.25,
      promptTokens: 400,
      generatedTokens: 50,
      cacheQueriedTokens: 400,
      cacheHitTokens: 300,
      firstTokenSecondsSum: 1.5,
      firstTokenCount: 3,
    });
  });
});
