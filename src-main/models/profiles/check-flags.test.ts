import { expect, test } from 'vitest';
import type { Installation } from '../servers/types.ts';
import { checkFlags } from './check-flags.ts';
import { flagArguments } from './flag-arguments.ts';

const PARSERS = ['hermes', 'qwen3_coder', 'qwen3_xml', 'mistral'];

const vllm: Installation = {
  engine: 'vllm',
  command: ['/opt/vllm/bin/vllm', 'serve'],
  version: '0.33.0',
  flags: new Set([
    ...['--enforce-eager', '--no-enforce-eager', '--swap-space', '--dtype', '--tool-call-parser'],
    ...['--compilation-config', '--max-num-batched-tokens', '--max-num-partial-prefills'],
  ]),
  choices: new Map([
    ['--dtype', ['auto', 'bfloat16', 'float16']],
    ['--tool-call-parser', PARSERS],
  ]),
  shown: 'vllm 0.33.0 in /opt/vllm',
};
const llama: Installation = { ...vllm, engine: 'llama-server', shown: 'llama-server b10809' };

test('flags that this version knows are fine, in the spellings that it takes', () => {
  const flags = {
    '--enforce-eager': true,
    '--swap_space': 4,
    '--compilation-config.level': 3,
    '--dtype': 'bfloat16',
  };
  expect(checkFlags(flags, vllm)).toEqual([]);
  expect(checkFlags({ '--swap_space': 4 }, llama)).toEqual([
    'llama-server b10809 has no flag --swap_space (did you mean --swap-space?)',
  ]);
});

test('S03: an unknown flag is found before the start, with the nearest one', () => {
  expect(checkFlags({ '--enforce-eagre': true, '--frobnicate': 1 }, vllm)).toEqual([
    'vllm 0.33.0 in /opt/vllm has no flag --enforce-eagre (did you mean --enforce-eager?)',
    'vllm 0.33.0 in /opt/vllm has no flag --frobnicate',
  ]);
});

test('S03: beginnings that argparse would take for a flag are found', () => {
  expect(checkFlags({ '--enforce': true }, vllm)).toEqual([
    '--enforce is short for --enforce-eager in vllm 0.33.0 in /opt/vllm; write it out',
  ]);
  expect(checkFlags({ '--max-num': 1 }, vllm)).toEqual([
    '--max-num could be --max-num-batched-tokens, --max-num-partial-prefills in vllm 0.33.0 in /opt/vllm; write it out',
  ]);
  expect(checkFlags({ '--enforce': true }, llama)).toEqual([
    'llama-server b10809 has no flag --enforce (did you mean --enforce-eager?)',
  ]);
});

test('S03: a value that is not offered is found, also of a parser handed in as a flag', () => {
  expect(checkFlags({ '--dtype': 'bf16' }, vllm)).toEqual([
    'vllm 0.33.0 in /opt/vllm does not take --dtype bf16; it offers: auto, bfloat16, float16',
  ]);
  expect(checkFlags({ '--tool-call-parser': 'qwen3coder_' }, vllm)).toEqual([
    'vllm 0.33.0 in /opt/vllm does not take --tool-call-parser qwen3coder_; it offers: hermes, qwen3_coder, qwen3_xml, mistral; nearest is qwen3_coder',
  ]);
});

test('our own llama.cpp server takes no flags', () => {
  const ours = {
    ...vllm,
    engine: 'llamacpp' as const,
    flags: null,
    shown: 'llama.cpp of Vivarium',
  };
  expect(checkFlags({ '--flash-attn': 'on' }, ours)).toEqual([
    'llama.cpp of Vivarium takes no flags; remove --flash-attn',
  ]);
  expect(checkFlags({}, ours)).toEqual([]);
});

test('flags become words of a command line', () => {
  const flags = { '--enforce-eager': true, '--no-x': false, '--swap-space': 4, '--fit': 'on' };
  expect(flagArguments(flags, 'joined')).toEqual(['--enforce-eager', '--swap-space=4', '--fit=on']);
  expect(flagArguments(flags, 'separate')).toEqual([
    ...['--enforce-eager', '--swap-space', '4', '--fit', 'on'],
  ]);
});
