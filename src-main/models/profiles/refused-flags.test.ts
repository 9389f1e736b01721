import { expect, test } from 'vitest';
import { importProfile } from './files.ts';
import { refusedVariable } from './refused-environment.ts';
import { refusedFlag } from './refused-flags.ts';

/** One flag and the ways in which an engine would take it. */
const SPELLINGS: [flag: string, spellings: string[]][] = [
  ['--host', ['--host', '--HOST', '--host=0.0.0.0', '--ho', '--hos', '--host 0.0.0.0']],
  ['--port', ['--port', '--por', '--port=80']],
  ['--uds', ['--uds', '--ud']],
  ['--api-key', ['--api-key', '--api_key', '--api', '--api-k', '--api_key=x']],
  ['--served-model-name', ['--served-model-name', '--served_model_name', '--serv', '--served']],
  ['--allowed-origins', ['--allowed-origins', '--allowed_origins', '--allowed-o']],
  ['--trust-remote-code', ['--trust-remote-code', '--trust_remote_code', '--trust-rem']],
  ['--config', ['--config', '--conf', '--config=evil.yaml']],
  ['--tools', ['--tools', '--tools=all']],
  ['--agent', ['--agent', '--age', '-ag']],
  ['--mcp-', ['--mcp-servers-config', '--mcp-servers-json', '--mcp']],
  ['--model', ['--model', '-m', '--mode', '--model=other']],
  ['--hf-repo', ['--hf-repo', '-hf', '-hfr', '--hf_repo', '--hf-repo-draft']],
  ['--model-url', ['--model-url', '-mu', '--model_url', '--model-u']],
  ['--docker-repo', ['--docker-repo', '-dr']],
  ['--cors-', ['--cors-origins', '--cors-methods']],
  ['--kv-transfer-config', ['--kv-transfer-config', '--kv-transfer-config.kv_role']],
  ['--kv-offloading-backend', ['--kv-offloading-backend', '--kv_offloading_backend=lmcache']],
  ['--model-loader-extra-config', ['--model-loader-extra-config', '--model_loader_extra_config.x']],
  ['--data-parallel-rank', ['--data-parallel-rank', '--data_parallel_rank=1']],
  ['--tool-parser-plugin', ['--tool-parser-plugin', '--tool_parser_plugin', '--tool-parser']],
  ['--model-path', ['--model-path', '--model_path', '--model-p']],
  ['--admin-api-key', ['--admin-api-key', '--admin']],
  ['--ssl-', ['--ssl-keyfile', '--ssl-key-file', '--ssl']],
  ['--rpc', ['--rpc']],
  ['--log-file', ['--log-file', '--log_file']],
  ['-default', ['--gpt-oss-20b-default', '--fim-qwen-1.5b-default']],
];

test.each(SPELLINGS)('%s is refused in all spellings', (_flag, spellings) => {
  expect(spellings.filter((spelling) => refusedFlag(spelling) === null)).toEqual([]);
});

test('the reason and what to do are told', () => {
  expect(refusedFlag('--host')).toBe(
    '--host is refused: it decides who can reach the server, or makes it open connections',
  );
  expect(refusedFlag('--trust_remote_code')).toBe(
    '--trust-remote-code is refused: it makes the server run code that did not come with the engine',
  );
  expect(refusedFlag('--serv')).toBe(
    '--serv can be read as --served-model-name; write the flag out',
  );
  expect(refusedFlag('--max_model_len')).toBe(
    '--max-model-len is set by the member contextTokens; set that instead',
  );
  expect(refusedFlag('-hf')).toBe('--hf-repo is refused: it fetches from the network');
  expect(refusedFlag('-fa')).toBe(
    '-fa is a short form, which differs between engines; write the long one, beginning with --',
  );
});

test('flags that only look alike are taken', () => {
  const harmless = [
    ...['--enforce-eager', '--swap-space', '--dtype', '--quantization', '--kv-cache-dtype'],
    ...['--config-format', '--tokenizer-mode', '--model-impl', '--no-host', '--mmproj', '--ui'],
    ...['--flash-attn', '--cache-type-k', '--language-model-only', '--mamba-cache-mode'],
    ...['--max-num-batched-tokens', '--chunked-prefill-size', '--mamba-full-memory-ratio'],
    ...['--context-shift', '--cache-ram', '--compilation-config.level', '--log-level'],
    ...['--default-chat-template-kwargs', '--load-format', '--watchdog-timeout', '--revision-x'],
  ];
  expect(harmless.filter((flag) => refusedFlag(flag) !== null)).toEqual([]);
});

test('a profile with a refused flag or variable is not taken', () => {
  const flag = () => importProfile('flags:\n  --host: 0.0.0.0\n', 'x');
  expect(flag).toThrow(
    "the profile can't be used: flags.--host (line 2): --host is refused: it decides who can reach the server, or makes it open connections",
  );
  expect(flag).toThrow(
    expect.objectContaining({
      code: 'profile_invalid',
      next: 'Correct or remove it, or start that server yourself and give its address as the model: http://127.0.0.1:PORT/v1.',
    }),
  );
  // A value must not become a flag, nor a name hold two.
  expect(() => importProfile('flags: {--dtype: --host=0.0.0.0}', 'x')).toThrow(
    'flags.--dtype (line 1): a value that begins with - would be read as another flag',
  );
  expect(() => importProfile('flags: {"--dtype --x": 1}', 'x')).toThrow('write the flag as --NAME');
  expect(() => importProfile('flags: {"dtype": 1}', 'x')).toThrow(
    'flags.dtype (line 1): a flag is written as --NAME, its value after the colon',
  );
  expect(importProfile('flags: {--seed: -1, --a-b: "-0.5"}', 'x').flags).toEqual({
    '--seed': -1,
    '--a-b': '-0.5',
  });
});

test('S08: variables reach the engine when the profile names them, but not those that undo our rules', () => {
  const text =
    'environment:\n  HTTP_PROXY: http://proxy:3128\n  VLLM_PORT: 5000\n  LD_LIBRARY_PATH: /opt/cuda/lib64\n  PYTHONPATH: /opt/extra\n';
  expect(importProfile(text, 'x').environment).toEqual({
    HTTP_PROXY: 'http://proxy:3128',
    VLLM_PORT: '5000',
    LD_LIBRARY_PATH: '/opt/cuda/lib64',
    PYTHONPATH: '/opt/extra',
  });
  const refused = [
    ...['VLLM_LOOPBACK_IP', 'VLLM_DP_MASTER_IP', 'VLLM_LOGGING_CONFIG_PATH'],
    ...['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE', 'VLLM_NO_USAGE_STATS', 'VLLM_API_KEY'],
    ...['LLAMA_ARG_HOST', 'LLAMA_ARG_TOOLS', 'no_proxy', 'NO_PROXY', 'VIVARIUM_NONCE'],
    ...['NODE_OPTIONS', 'VLLM_SERVER_DEV_MODE', 'VLLM_KEEP_ALIVE_ON_ENGINE_DEATH'],
  ];
  expect(refused.filter((name) => refusedVariable(name) === null)).toEqual([]);
  expect(() => importProfile('environment: {HF_HUB_OFFLINE: 0}', 'x')).toThrow(
    'environment.HF_HUB_OFFLINE (line 1): HF_HUB_OFFLINE is refused: Vivarium keeps engines off the network and sets it',
  );
  expect(() => importProfile('environment: {"A B": c}', 'x')).toThrow(
    'environment.A B (line 1): this is no name of a variable',
  );
});
