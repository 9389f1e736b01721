import { expect, test } from 'vitest';
import { installation, lines, MODELS, presetInput } from '../shared/testing.ts';
import { launchInput } from '../../testing/launch.ts';
import { createVllmEngine } from './index.ts';

const engine = createVllmEngine();

/** The flags of ours that vLLM 0.33 has; 0.8 lacks the last four. */
const FLAGS = [
  ...['--host', '--port', '--uds', '--served-model-name', '--allowed-origins', '--max-model-len'],
  ...['--max-num-seqs', '--gpu-memory-utilization', '--tensor-parallel-size', '--chat-template'],
  ...['--enable-prefix-caching', '--no-enable-prefix-caching', '--enable-auto-tool-choice'],
  ...['--tool-call-parser', '--reasoning-parser', '--hf-overrides', '--enforce-eager'],
  ...['--enable-prompt-tokens-details', '--disable-uvicorn-access-log'],
];
const NEW = [
  ...['--mamba-cache-mode', '--language-model-only', '--disable-access-log-for-endpoints'],
  ...['--kv-cache-memory-bytes', '--disable-fastapi-docs'],
];
const command = ['/opt/vllm/bin/vllm', 'serve'];
const vllm33 = installation('vllm', '0.33.0', [...FLAGS, ...NEW], { command });
const vllm08 = installation('vllm', '0.8.5', FLAGS, { command });

function argvOf(input: Parameters<typeof engine.command>[0]): string[] {
  const made = engine.command(input);
  if (made.kind !== 'program') throw new Error('not a program');
  return made.argv;
}

function envOf(input: Parameters<typeof engine.command>[0]): Record<string, string> {
  return engine.command(input).env;
}

test('frognano-4b on one GPU, vLLM 0.33', () => {
  expect(lines(argvOf(presetInput('frognano-4b', vllm33, [0])))).toEqual([
    '/opt/vllm/bin/vllm',
    'serve',
    '/models/frognano-4b',
    '--host 127.0.0.1',
    '--port 43210',
    '--served-model-name frognano-4b-n0nce',
    '--allowed-origins []',
    '--disable-fastapi-docs',
    '--max-model-len 131072',
    '--max-num-seqs 4',
    '--gpu-memory-utilization 0.9',
    '--enable-prefix-caching',
    '--mamba-cache-mode align',
    '--enable-auto-tool-choice',
    '--tool-call-parser qwen3_coder',
    '--reasoning-parser qwen3',
    '--enable-prompt-tokens-details',
    '--disable-access-log-for-endpoints /health,/metrics,/v1/models',
  ]);
});

test('frogmini-14b on two GPUs, vLLM 0.33: no parsers, since its scaffold reads the text itself', () => {
  expect(lines(argvOf(presetInput('frogmini-14b', vllm33, [0, 1])))).toEqual([
    '/opt/vllm/bin/vllm',
    'serve',
    '/models/frogmini-14b',
    '--host 127.0.0.1',
    '--port 43210',
    '--served-model-name frogmini-14b-n0nce',
    '--allowed-origins []',
    '--disable-fastapi-docs',
    '--max-model-len 65536',
    '--max-num-seqs 4',
    '--gpu-memory-utilization 0.9',
    '--tensor-parallel-size 2',
    '--enable-prefix-caching',
    '--hf-overrides {"max_position_embeddings":65536}',
    '--enable-prompt-tokens-details',
    '--disable-access-log-for-endpoints /health,/metrics,/v1/models',
  ]);
});

test('frogmini-14b on one GPU with vLLM 0.8: flags that came later are left out', () => {
  expect(lines(argvOf(presetInput('frogmini-14b', vllm08, [1]))).slice(7)).toEqual([
    '--max-model-len 65536',
    '--max-num-seqs 4',
    '--gpu-memory-utilization 0.9',
    '--enable-prefix-caching',
    '--hf-overrides {"max_position_embeddings":65536}',
    '--enable-prompt-tokens-details',
    '--disable-uvicorn-access-log',
  ]);
});

test('the environment: offline, own caches, key, loopback; S08 nothing else of the user', () => {
  const input = presetInput('frognano-4b', vllm33, [1], { environment: { CC: '/usr/bin/gcc-12' } });
  const users = {
    HTTP_PROXY: 'http://proxy:3128',
    https_proxy: 'http://proxy:3128',
    ALL_PROXY: 'socks5://proxy',
    VLLM_PORT: '9999',
    VLLM_SERVER_DEV_MODE: '1',
    LD_LIBRARY_PATH: '/lib/odd',
    LD_PRELOAD: '/lib/odd.so',
    PYTHONPATH: '/python/odd',
    PYTHONHOME: '/python/home',
    HF_TOKEN: 'hf_secret',
    HF_HOME: '/home/me/hf',
    OPENAI_API_KEY: 'sk-secret',
    CUDA_VISIBLE_DEVICES: '7',
    ELECTRON_RUN_AS_NODE: '1',
  };
  expect(envOf({ ...input, env: { ...input.env, ...users } })).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/me',
    LANG: 'de_DE.UTF-8',
    NO_PROXY: '127.0.0.1',
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    CUDA_VISIBLE_DEVICES: '1',
    HF_HUB_OFFLINE: '1',
    TRANSFORMERS_OFFLINE: '1',
    HF_DATASETS_OFFLINE: '1',
    HF_HUB_DISABLE_TELEMETRY: '1',
    VLLM_NO_USAGE_STATS: '1',
    VLLM_DO_NOT_TRACK: '1',
    DO_NOT_TRACK: '1',
    PYTHONNOUSERSITE: '1',
    PYTHONUNBUFFERED: '1',
    GLOO_SOCKET_IFNAME: 'lo',
    NCCL_SOCKET_IFNAME: 'lo',
    XDG_CACHE_HOME: '/home/me/.vivarium/cache/xdg',
    XDG_CONFIG_HOME: '/home/me/.vivarium/cache/config',
    HF_HOME: '/home/me/.vivarium/cache/huggingface',
    TRITON_CACHE_DIR: '/home/me/.vivarium/cache/triton',
    TORCHINDUCTOR_CACHE_DIR: '/home/me/.vivarium/cache/torchinductor',
    TORCH_EXTENSIONS_DIR: '/home/me/.vivarium/cache/torch-extensions',
    FLASHINFER_WORKSPACE_BASE: '/home/me/.vivarium/cache/flashinfer',
    CUDA_CACHE_PATH: '/home/me/.vivarium/cache/cuda',
    NUMBA_CACHE_DIR: '/home/me/.vivarium/cache/numba',
    VLLM_CACHE_ROOT: '/home/me/.vivarium/cache/vllm',
    VLLM_CONFIG_ROOT: '/home/me/.vivarium/cache/vllm-config',
    VLLM_API_KEY: 'the-key',
    VLLM_HOST_IP: '127.0.0.1',
    VLLM_LOOPBACK_IP: '127.0.0.1',
    CC: '/usr/bin/gcc-12',
  });
});

test('S08 what the profile names does reach the server, and the key is in no word of argv', () => {
  const environment = { LD_LIBRARY_PATH: '/opt/cuda/lib64', HTTPS_PROXY: 'http://127.0.0.1:1' };
  const input = presetInput('frognano-4b', vllm33, [0], { environment });
  const made = engine.command(input);
  expect(made.env).toMatchObject(environment);
  expect(argvOf(input).join(' ')).not.toContain('the-key');
  expect(made).toMatchObject({ secrets: ['the-key'], cwd: '/home/me/.vivarium/cache' });
});

test('the build for processors takes space and threads by environment, and no share of a GPU', () => {
  const cpu = installation('vllm', '0.32.0+cpu', [...FLAGS, ...NEW], { command });
  const input = presetInput('frognano-4b', cpu, []);
  const GIB = 1024 ** 3;
  const estimate = { ...input.plan.estimate, kvBytes: 2.2 * GIB, stateBytes: 0.3 * GIB };
  const plan = { ...input.plan, device: 'cpu' as const, tensorParallel: 1, estimate };
  const machine = { ...input.machine, cores: 8 };
  expect(argvOf({ ...input, plan, machine })).not.toContain('--gpu-memory-utilization');
  expect(envOf({ ...input, plan, machine })).toMatchObject({
    VLLM_CPU_KVCACHE_SPACE: '3',
    VLLM_CPU_OMP_THREADS_BIND: 'nobind',
    OMP_NUM_THREADS: '7',
  });
  expect(envOf({ ...input, plan, machine })).not.toHaveProperty('CUDA_VISIBLE_DEVICES');
  const small = { ...input, machine: { ...machine, cores: 1 } };
  expect(envOf(small)).toMatchObject({ OMP_NUM_THREADS: '1', VLLM_CPU_KVCACHE_SPACE: '1' });
  const fixed = { ...small, profile: { ...small.profile, threads: 6 } };
  expect(envOf(fixed)['OMP_NUM_THREADS']).toBe('6');
  const flags = { '--kv-cache-memory-bytes': 2_000_000 };
  expect(envOf({ ...small, profile: { ...small.profile, flags } })).not.toHaveProperty(
    'VLLM_CPU_KVCACHE_SPACE',
  );
});

test('members of the profile become flags; its own flags come last and win', () => {
  const input = presetInput('frognano-4b', vllm33, [0], {
    prefixCaching: false,
    chatTemplate: '/home/me/t.jinja',
    configOverrides: { z: 1, a: { c: 2, b: 3 } },
    flags: { '--enforce-eager': true, '--enable-auto-tool-choice': false, '--swap-space': 4 },
  });
  const made = lines(argvOf(input));
  expect(made).toContain('--no-enable-prefix-caching');
  expect(made).not.toContain('--mamba-cache-mode align');
  expect(made).toContain('--chat-template /home/me/t.jinja');
  expect(made).toContain('--hf-overrides {"a":{"b":3,"c":2},"z":1}');
  expect(made.slice(-2)).toEqual(['--enforce-eager', '--swap-space=4']);
});

test('a model that could see pictures is loaded for text alone', () => {
  const input = presetInput('frognano-4b', vllm33, [0]);
  const facts = { ...input.model.facts, architecture: 'Qwen3_5ForConditionalGeneration' };
  const both = { ...input, model: { ...input.model, facts } };
  expect(argvOf(both)).toContain('--language-model-only');
});

test('parsers that were renamed are found by their other name', () => {
  const choices = new Map([['--tool-call-parser', ['qwen3_xml', 'qwen3_json']]]);
  const renamed = { ...vllm33, choices };
  expect(lines(argvOf(presetInput('frognano-4b', renamed, [0])))).toContain(
    '--tool-call-parser qwen3_xml',
  );
  const input = presetInput('frogmini-14b', renamed, [0], { callParser: 'hermes' });
  expect(lines(argvOf(input))).toContain('--tool-call-parser qwen3_json');
  expect(engine.check(input.profile, renamed, input.model)).toEqual([]);
});

test('S03 faults of a profile are found before the start', () => {
  const { profile } = presetInput('frognano-4b', vllm33, [0]);
  const nano = MODELS['frognano-4b'];
  expect(engine.check(profile, vllm33, nano)).toEqual([]);
  const choices = new Map([['--tool-call-parser', ['hermes', 'mistral']]]);
  expect(engine.check(profile, { ...vllm33, choices }, nano)).toEqual([
    'vllm 0.33.0 in /opt/vllm does not take --tool-call-parser qwen3_coder; it offers: hermes, mistral',
  ]);
  const odd = { ...profile, flags: { '--enforce-eagr': true } };
  expect(engine.check(odd, vllm33, nano)).toEqual([
    // The rest of the line is the profiles' own.
    expect.stringMatching(/^vllm 0\.33\.0 in .* has no flag --enforce-eagr\b.*--enforce-eager/),
  ]);
  expect(engine.check(profile, { ...vllm33, version: '0.17.1' }, nano)).toEqual([
    'vllm 0.33.0 in /opt/vllm is too old for Qwen3_5ForCausalLM: it fails on the text-only form of this model; it needs 0.20.0 or newer',
  ]);
  expect(engine.check({ ...profile, device: 'cpu' }, vllm33, nano)).toEqual([
    'vllm 0.33.0 in /opt/vllm is the build for GPUs; device cpu needs the one for processors',
  ]);
  const cpu = { ...vllm33, version: '0.32.0+cpu' };
  expect(engine.check({ ...profile, device: 'gpu' }, cpu, nano)).toEqual([
    'vllm 0.33.0 in /opt/vllm is the build for processors; set device to cpu',
  ]);
  expect(engine.check(profile, vllm33, launchInput().model)).toEqual([
    'vllm 0.33.0 in /opt/vllm serves safetensors models; tadpole is gguf: set engine to llamacpp or llama-server',
  ]);
  const unread = { ...vllm33, flags: null };
  expect(engine.check({ ...profile, flags: { '--any': 1 } }, unread, nano)).toEqual([]);
});
