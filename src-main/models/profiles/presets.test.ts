import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLeafScaffold, loadScaffold } from '../../agent/index.ts';
import { drivingOf } from './driving.ts';
import { importProfile } from './files.ts';
import { PRESET_NAMES, presetNamed } from './presets.ts';

const RESOURCES = path.resolve(import.meta.dirname, '../../../resources');

const COMMON = {
  source: { kind: 'auto' },
  prefixCaching: true,
  memoryShare: 0.9,
  tensorParallel: 'auto',
  chatTemplate: null,
  flags: {},
  environment: {},
  idleMinutes: 60,
};

test('frognano-4b holds the values of its published evaluation and of Leaf', () => {
  expect(presetNamed('frognano-4b').members).toEqual({
    ...COMMON,
    engine: 'vllm',
    device: 'auto',
    scaffold: 'leaf',
    contextTokens: 131_072,
    inputTokens: null,
    tokensPerTurn: 8_192,
    steps: 150,
    sampling: {
      temperature: 0.6,
      topP: 0.95,
      topK: 20,
      minP: 0,
      presencePenalty: 0,
      repetitionPenalty: 1,
      templateArguments: { enable_thinking: true },
    },
    reasoningParser: 'qwen3',
    callParser: 'qwen3_coder',
    sequences: 4,
    configOverrides: {},
    threads: null,
  });
});

test('frogmini-14b holds 46,000 input and 8,000 output tokens of a window of 65,536', () => {
  expect(presetNamed('frogmini-14b').members).toEqual({
    ...COMMON,
    engine: 'vllm',
    device: 'auto',
    scaffold: 'r2egym',
    contextTokens: 65_536,
    inputTokens: 46_000,
    tokensPerTurn: 8_000,
    steps: 100,
    sampling: { temperature: 1 },
    reasoningParser: null,
    callParser: null,
    sequences: 4,
    configOverrides: { max_position_embeddings: 65_536 },
    threads: null,
  });
});

test('qwen3-coder, plain and tadpole hold their values', () => {
  expect(presetNamed('qwen3-coder').members).toEqual({
    ...COMMON,
    engine: 'vllm',
    device: 'auto',
    scaffold: 'leaf',
    contextTokens: 65_536,
    inputTokens: null,
    tokensPerTurn: 8_192,
    steps: 100,
    sampling: { temperature: 0.7, topP: 0.8, topK: 20, repetitionPenalty: 1.05 },
    reasoningParser: null,
    callParser: 'qwen3_coder',
    sequences: 4,
    configOverrides: {},
    threads: null,
  });
  expect(presetNamed('plain').members).toEqual({
    ...COMMON,
    engine: 'vllm',
    device: 'auto',
    scaffold: 'leaf',
    contextTokens: 65_536,
    inputTokens: null,
    tokensPerTurn: 8_192,
    steps: 100,
    sampling: {},
    reasoningParser: 'auto',
    callParser: 'auto',
    sequences: 4,
    configOverrides: {},
    threads: null,
  });
  expect(presetNamed('tadpole').members).toEqual({
    ...COMMON,
    engine: 'llamacpp',
    device: 'cpu',
    scaffold: 'tadpole',
    contextTokens: 2_048,
    inputTokens: null,
    tokensPerTurn: 220,
    steps: 12,
    sampling: { temperature: 1, topP: 0.95, topK: 40 },
    reasoningParser: null,
    callParser: null,
    sequences: 1,
    configOverrides: {},
    threads: 1,
  });
});

test('presets drive a model as the scaffold it was trained with does', async () => {
  const leaf = createLeafScaffold();
  const nano = drivingOf(importProfile('preset: frognano-4b', 'nano'));
  expect(nano.sampling).toEqual(leaf.sampling);
  const { timeLimitMs: _, ...limits } = leaf.limits;
  expect(nano.limits).toEqual({ ...limits, maxInputTokens: null });

  const tadpole = await loadScaffold('tadpole', path.join(RESOURCES, 'scaffolds'));
  const driven = drivingOf(importProfile('preset: tadpole', 'tadpole'));
  expect(driven.scaffold).toBe('tadpole');
  expect(driven.sampling).toEqual(tadpole.sampling);
  const { maxSteps, maxContextTokens, maxTokensPerTurn } = tadpole.limits;
  expect(driven.limits).toEqual({
    ...{ maxSteps, maxContextTokens, maxTokensPerTurn },
    maxInputTokens: null,
  });
});

test('every file of the folder is a preset, and only those are', () => {
  const files = readdirSync(path.join(RESOURCES, 'profiles')).toSorted();
  expect(files).toEqual(PRESET_NAMES.map((name) => `${name}.yaml`).toSorted());
  expect(() => presetNamed('frognano')).toThrow(
    'there is no preset frognano (did you mean frognano-4b?)',
  );
  expect(() => presetNamed('../profiles/plain')).toThrow('there is no preset ../profiles/plain');
});
