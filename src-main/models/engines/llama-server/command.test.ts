import { expect, test } from 'vitest';
import type { LaunchInput, ModelProfile, ServerPlan } from '../../servers/types.ts';
import { launchInput } from '../../testing/launch.ts';
import { installation, lines } from '../shared/testing.ts';
import { buildOf, createLlamaServerEngine } from './index.ts';

const engine = createLlamaServerEngine();

const FLAGS = [
  ...['--model', '--alias', '--host', '--port', '--ctx-size', '--parallel', '--n-gpu-layers'],
  ...['--threads', '--jinja', '--chat-template-file', '--reasoning-format', '--metrics'],
  ...['--no-webui', '--no-cache-prompt'],
];
const NEW = [
  ...['--fit', '--device', '--cache-ram', '--offline', '--no-ui', '--cors-origins'],
  '--no-cors-credentials',
];
const command = ['/opt/llama-server'];
const now = installation('llama-server', '0.4.0 (b10809)', [...FLAGS, ...NEW], { command });
const then = installation('llama-server', '4719', FLAGS, { command });

function input(
  given: typeof now,
  plan: Partial<ServerPlan>,
  profile: Partial<ModelProfile> = {},
): LaunchInput {
  return launchInput({
    installation: given,
    plan: { engine: 'llama-server', contextTokens: 32_768, ...plan },
    profile: { engine: 'llama-server', ...profile },
    model: { folder: '/models/frog', entry: '/models/frog/frog-00001-of-00002.gguf' },
    machine: { memory: { totalBytes: 64e9, availableBytes: 8 * 1024 ** 3 } },
    port: 0,
    key: 'the-key',
    servedName: 'frog-n0nce',
    cacheFolder: '/home/me/.vivarium/cache',
    env: { PATH: '/usr/bin', HOME: '/home/me', LLAMA_ARG_HOST: '0.0.0.0', HTTP_PROXY: 'http://p' },
  });
}

function argvOf(given: LaunchInput): string[] {
  const made = engine.command(given);
  if (made.kind !== 'program') throw new Error('not a program');
  return lines(made.argv);
}

test('on a GPU, a llama-server of today', () => {
  const given = input(
    now,
    { device: 'gpu', gpus: [0], sequences: 2 },
    { reasoningParser: 'qwen3' },
  );
  expect(argvOf(given)).toEqual([
    '/opt/llama-server',
    '--model /models/frog/frog-00001-of-00002.gguf',
    '--alias frog-n0nce',
    '--host 127.0.0.1',
    '--port 0',
    '--ctx-size 65536',
    '--parallel 2',
    '--fit off',
    '--n-gpu-layers 999',
    '--jinja',
    '--cache-ram 1024',
    '--metrics',
    '--offline',
    '--no-ui',
    '--cors-origins http://127.0.0.1:1',
    '--no-cors-credentials',
  ]);
});

test('on the processor, one of 2025: flags that came later are left out', () => {
  const given = input(then, { device: 'cpu' }, { threads: 6, prefixCaching: false });
  expect(argvOf(given).slice(4)).toEqual([
    '--port 0',
    '--ctx-size 32768',
    '--parallel 1',
    '--n-gpu-layers 0',
    '--threads 6',
    '--jinja',
    '--reasoning-format none',
    '--no-cache-prompt',
    '--metrics',
    '--no-webui',
  ]);
});

test('split between both: the plan says how many layers; flags of the profile stand last', () => {
  const flags = { '--override-kv': 'a=int:1', '--no-mmap': true, '--mlock': false };
  const given = input(now, { device: 'split', gpuLayers: 17, gpus: [1] }, { flags });
  const argv = argvOf(given);
  expect(argv).toContain('--n-gpu-layers 17');
  expect(argv.slice(-2)).toEqual(['--override-kv a=int:1', '--no-mmap']);
});

test('copies of a fixed state are as many as memory allows', () => {
  const newer = { ...now, flags: new Set([...FLAGS, ...NEW, '--ctx-checkpoints']) };
  const given = input(newer, { sequences: 2 });
  const layers = { ...given.model.facts.layers, recurrent: { layers: 24, bytesPerSequence: 50e6 } };
  const hybrid = { ...given, model: { ...given.model, facts: { ...given.model.facts, layers } } };
  // An eighth of 8 GiB holds 10 copies of 2 x 50 MB.
  expect(argvOf(hybrid)).toContain('--ctx-checkpoints 10');
  expect(argvOf(given).join(' ')).not.toContain('--ctx-checkpoints');
});

test('S08 the environment: key, caches, GPUs, and none of the variables that are flags', () => {
  expect(engine.command(input(now, { device: 'split', gpuLayers: 17, gpus: [1] })).env).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/me',
    NO_PROXY: '127.0.0.1',
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    CUDA_VISIBLE_DEVICES: '1',
    LLAMA_API_KEY: 'the-key',
    LLAMA_CACHE: '/home/me/.vivarium/cache/xdg',
    XDG_CACHE_HOME: '/home/me/.vivarium/cache/xdg',
    HF_HUB_OFFLINE: '1',
  });
});

test('never what would run tools or open it to pages: no such word in any command', () => {
  for (const device of ['cpu', 'gpu'] as const) {
    const argv = argvOf(input(now, { device, gpus: [0] })).join(' ');
    expect(argv).not.toMatch(/--(tools|agent|mcp|ui-mcp|props|path|hf|model-url)/);
  }
});

test('S03 faults of a profile are found before the start', () => {
  const given = input(now, {}, { configOverrides: { max_position_embeddings: 65_536 } });
  expect(engine.check(given.profile, now, given.model)).toEqual([]);
  const more = { ...given.profile, configOverrides: { rope_theta: 1e6 } };
  expect(engine.check(more, now, given.model)).toEqual([
    'llama-server reads no config.json: configOverrides (rope_theta) have no effect; use the flag --override-kv',
  ]);
  const facts = { ...given.model.facts, format: 'safetensors' as const };
  expect(engine.check(given.profile, now, { ...given.model, facts })).toEqual([
    'llama-server 0.4.0 (b10809) in /opt/llama-server serves gguf models; tadpole is safetensors: set engine to vllm or sglang',
  ]);
});

test.each([
  ['version: 0.4.0-dev (build 1, commit 80fb11a)\nbuilt with GNU 12.2.0', '0.4.0-dev (b1)'],
  ['version: 6123 (ad5975de)\nbuilt with cc', '6123'],
  ['usage: llama-server', null],
])('the version in %o', (text, version) => {
  expect(buildOf(text)).toBe(version);
});

test.each([
  ['srv  llama_server: listening on http://127.0.0.1:41667', 41667],
  ['0.00.091.082 I srv  llama_server: listening on http://127.0.0.1:7', 7],
  ['main: server is listening on http://127.0.0.1:8080 - starting the main loop', 8080],
  ['main: HTTP server is listening, hostname: 127.0.0.1, port: 34567, http threads: 7', 34567],
  ['HTTP server listening | hostname="127.0.0.1" n_threads_http="6" port="46259"', 46259],
])('the port in %o', (line, port) => {
  expect(engine.readLine(line)).toEqual({ port, progress: 'answering' });
});

test.each([
  ["0.00.004.209 I srv    load_model: loading model '/models/frog.gguf'", 'loading the model'],
  ['load_tensors: offloaded 17/49 layers to GPU', 'weights loaded (17 of 49 layers on the GPU)'],
  ['0.00.089.465 I srv  llama_server: model loaded', 'model loaded'],
  ['slot launch_slot_: id  0 | task 12 | processing task', undefined],
])('S04 the progress in %o', (line, progress) => {
  expect(engine.readLine(line).progress).toBe(progress);
});
