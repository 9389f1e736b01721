import { expect, test } from 'vitest';
import { createProfile } from './create.ts';
import { factsFor, modelFor } from './testing.ts';

const smol = factsFor(
  {
    ...{ format: 'gguf', architecture: 'llama', parameters: 134.5e6, trainedContextTokens: 8_192 },
    names: ['SmolLM2-135M-Instruct'],
  },
  { callFormat: null, thinking: false },
);

test('a recognised model gets its preset as it is', () => {
  const profile = createProfile(modelFor(factsFor()));
  expect(profile).toMatchObject({
    ...{ name: 'frog', preset: 'frognano-4b', engine: 'vllm', contextTokens: 131_072 },
    ...{ tokensPerTurn: 8_192, steps: 150, reasoningParser: 'qwen3', callParser: 'qwen3_coder' },
    ...{ sequences: 4, tensorParallel: 'auto' },
  });
});

test('a GGUF of FrogNano is served by llama.cpp with the same sampling and steps', () => {
  const facts = factsFor({ format: 'gguf', architecture: 'qwen35' });
  const profile = createProfile(modelFor(facts));
  expect(profile).toMatchObject({
    ...{ preset: 'frognano-4b', engine: 'llamacpp', steps: 150, contextTokens: 131_072 },
    ...{ sequences: 1, sampling: { temperature: 0.6, topP: 0.95, topK: 20 } },
  });
});

test('FrogMini keeps its window although config.json allows less, and its text calls', () => {
  const facts = factsFor(
    {
      ...{ architecture: 'Qwen3ForCausalLM', parameters: 14.77e9, names: ['FrogMini-14B-2510'] },
      trainedContextTokens: 40_960,
    },
    { callFormat: 'hermes' },
  );
  expect(createProfile(modelFor(facts))).toMatchObject({
    ...{ contextTokens: 65_536, inputTokens: 46_000, tokensPerTurn: 8_000, callParser: null },
    configOverrides: { max_position_embeddings: 65_536 },
  });
  const gguf = createProfile(modelFor({ ...facts, format: 'gguf', architecture: 'qwen3' }));
  expect(gguf).toMatchObject({ engine: 'llamacpp', contextTokens: 65_536, configOverrides: {} });
});

test('a plain model goes by its files: window, share of a turn, parsers, engine', () => {
  expect(createProfile(modelFor(smol))).toMatchObject({
    ...{ preset: 'plain', engine: 'llamacpp', contextTokens: 8_192, tokensPerTurn: 2_048 },
    ...{ reasoningParser: null, callParser: null, sampling: {}, scaffold: 'leaf', sequences: 1 },
  });
  const base = factsFor({ names: ['Qwen3.5-4B'] });
  expect(createProfile(modelFor(base))).toMatchObject({
    ...{ preset: 'plain', engine: 'vllm', contextTokens: 65_536, tokensPerTurn: 8_192 },
    ...{ reasoningParser: 'qwen3', callParser: 'qwen3_coder' },
  });
  const distilled = factsFor(
    { architecture: 'Qwen2ForCausalLM', names: ['R1-Distill'], trainedContextTokens: null },
    { callFormat: null },
  );
  expect(createProfile(modelFor(distilled))).toMatchObject({
    ...{ contextTokens: 32_768, reasoningParser: 'deepseek_r1', callParser: null },
  });
});

test('the call format of the shipped template wins over the preset', () => {
  expect(createProfile(modelFor(factsFor({}, { callFormat: 'hermes' }))).callParser).toBe('hermes');
  expect(createProfile(modelFor(factsFor({}, { callFormat: null }))).callParser).toBe(
    'qwen3_coder',
  );
});

test('tadpole runs on one thread of the processor', () => {
  const facts = factsFor(
    {
      ...{ format: 'gguf', architecture: 'qwen3', parameters: 6.82e6, names: ['Tadpole'] },
      trainedContextTokens: 2_048,
    },
    { callFormat: 'hermes', thinking: false },
  );
  expect(createProfile(modelFor(facts, 'tadpole'))).toMatchObject({
    ...{ preset: 'tadpole', engine: 'llamacpp', device: 'cpu', scaffold: 'tadpole', threads: 1 },
    ...{ contextTokens: 2_048, tokensPerTurn: 220, steps: 12, callParser: null },
  });
});

test('a model whose preset is gone is plain; profiles share nothing and hold no path', () => {
  const model = { ...modelFor(factsFor()), preset: 'of-another-version' };
  expect(createProfile(model).preset).toBe('plain');
  const first = createProfile(modelFor(factsFor()));
  first.sampling.temperature = 2;
  expect(createProfile(modelFor(factsFor())).sampling.temperature).toBe(0.6);
  expect(JSON.stringify(first)).not.toContain('/media');
});
