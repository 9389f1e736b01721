import { expect, test } from 'vitest';
import type { ModelFacts } from '../servers/types.ts';
import { recognise } from './recognise.ts';
import { factsFor } from './testing.ts';

type Row = [preset: string, what: string, facts: ModelFacts];

const qwen35 = (changes: Partial<ModelFacts>) => factsFor(changes);

/** Qwen3: hermes calls, thinks. */
const qwen3 = (changes: Partial<ModelFacts>) =>
  factsFor(
    { architecture: 'Qwen3ForCausalLM', trainedContextTokens: 40_960, ...changes },
    { callFormat: 'hermes' },
  );

const coder = (changes: Partial<ModelFacts>, template: object = {}) =>
  factsFor(
    { architecture: 'Qwen3MoeForCausalLM', parameters: 30.5e9, ...changes },
    { thinking: false, ...template },
  );

const NANO = ['FrogNano-4B-2609', 'Qwen/Qwen3.5-4B'];

const ROWS: Row[] = [
  ['frognano-4b', 'the release', qwen35({})],
  ['frognano-4b', 'text only', qwen35({ architecture: 'Qwen3_5ForCausalLM' })],
  [
    'frognano-4b',
    'a GGUF by its file name',
    qwen35({ format: 'gguf', architecture: 'qwen35', names: ['FrogNano-4B-Q4_K_M.gguf'] }),
  ],
  ['frognano-4b', 'packed weights', qwen35({ parameters: null, names: ['frog_nano-awq'] })],
  ['frognano-4b', 'a name with a blank', qwen35({ names: ['Frog Nano 4B'] })],
  ['plain', 'Qwen3.5-4B itself', qwen35({ names: ['Qwen3.5-4B', 'Qwen/Qwen3.5-4B-Base'] })],
  ['plain', 'the name on another size', qwen35({ names: NANO, parameters: 0.87e9 })],
  ['plain', 'the name on another architecture', qwen3({ names: NANO, parameters: 4.02e9 })],
  ['frogmini-14b', 'the release', qwen3({ names: ['FrogMini-14B-2510'], parameters: 14.77e9 })],
  [
    'frogmini-14b',
    'a GGUF',
    qwen3({
      ...{ format: 'gguf', architecture: 'qwen3', names: ['FrogMini 14B 2510'] },
      parameters: 14.77e9,
    }),
  ],
  ['plain', 'Qwen3-14B itself', qwen3({ names: ['Qwen3-14B'], parameters: 14.77e9 })],
  ['plain', 'Qwen3-4B', qwen3({ names: ['Qwen3-4B'], parameters: 4.02e9 })],
  ['plain', 'FrogBoss', qwen3({ names: ['FrogBoss-32B-2510'], parameters: 32.76e9 })],
  ['qwen3-coder', 'the 30B', coder({ names: ['Qwen3-Coder-30B-A3B-Instruct'] })],
  [
    'qwen3-coder',
    'the 30B as GGUF with an unknown template',
    coder(
      { format: 'gguf', architecture: 'qwen3moe', names: ['Qwen3 Coder 30B A3B'] },
      { callFormat: null },
    ),
  ],
  [
    'qwen3-coder',
    'Coder-Next',
    coder({ architecture: 'Qwen3NextForCausalLM', names: ['Qwen3-Coder-Next'] }),
  ],
  ['qwen3-coder', 'one alike under another name', coder({ names: ['acme-fixer'] })],
  ['plain', 'Qwen3-30B-A3B', coder({ names: ['Qwen3-30B-A3B'] }, { callFormat: 'hermes' })],
  [
    'tadpole',
    'the demonstration model',
    qwen3({
      ...{ format: 'gguf', architecture: 'qwen3', names: ['Tadpole'] },
      ...{ parameters: 6.82e6, trainedContextTokens: 2_048 },
    }),
  ],
  ['plain', 'a large model of that name', qwen3({ names: ['Tadpole-7B'], parameters: 7e9 })],
  [
    'plain',
    'SmolLM2',
    factsFor(
      { format: 'gguf', architecture: 'llama', parameters: 134.5e6, names: ['smollm2'] },
      { callFormat: null, thinking: false },
    ),
  ],
  ['plain', 'no name at all', qwen35({ names: [] })],
  ['plain', 'an architecture nobody knows', qwen35({ architecture: '' })],
];

test.each(ROWS)('%s: %s', (preset, _what, facts) => {
  expect(recognise(facts)).toBe(preset);
});
