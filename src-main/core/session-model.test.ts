import { expect, test } from 'vitest';
import type { ServerStatus } from '../contract/index.ts';
import type { ModelProfile, ServedModel } from '../models/index.ts';
import { profileDefaults, serverNotes, serverPhase } from './session-model.ts';

const profile = {
  scaffold: 'leaf',
  contextTokens: 65_536,
  inputTokens: 46_000,
  tokensPerTurn: 8_000,
  steps: 100,
  sampling: { temperature: 1 },
} as ModelProfile;

const leaf = { asked: undefined, name: 'leaf', limits: { maxContextTokens: 131_072 } };

test('without a profile nothing is replaced', () => {
  expect(profileDefaults(null, leaf)).toEqual({ driving: null });
});

test('the scaffold a model was trained with is driven as its profile says', () => {
  expect(profileDefaults(profile, leaf)).toEqual({
    maxSteps: 100,
    maxContextTokens: 54_000,
    driving: { sampling: { temperature: 1 }, maxTokensPerTurn: 8_000, maxInputTokens: 46_000 },
  });
});

test('another scaffold keeps its steps and turns; window and sampling stay those of the model', () => {
  const other = { asked: 'tadpole', name: 'tadpole', limits: { maxContextTokens: 2_048 } };
  expect(profileDefaults(profile, other)).toEqual({
    maxContextTokens: 2_048,
    driving: { sampling: { temperature: 1 }, maxTokensPerTurn: null, maxInputTokens: null },
  });
});

test('a scaffold file that the profile names is the trained one, whatever it calls itself', () => {
  const own = { ...profile, scaffold: '/scaffolds/mine.yaml' };
  const asDefault = { ...leaf, name: 'mine' };
  expect(profileDefaults(own, asDefault).maxSteps).toBe(100);
  expect(profileDefaults(own, { ...asDefault, asked: '/scaffolds/mine.yaml' }).maxSteps).toBe(100);
  expect(profileDefaults(own, { ...leaf, asked: 'leaf' }).maxSteps).toBeUndefined();
});

const status = {
  name: 'frog',
  state: 'loading',
  since: Date.UTC(2026, 10, 29, 20, 0, 0),
  progress: 'loading the weights (2 of 4 shards)',
  version: '0.33.0',
  sequences: 4,
  restarts: 0,
  timings: { readyMs: 61_230, ownMs: 12 },
} as ServerStatus;
const info = { engine: 'vllm' } as ServedModel['info'];

test('a start says what the server does', () => {
  expect(serverPhase(status)).toBe(
    'starting the server of frog: loading the weights (2 of 4 shards)',
  );
  expect(serverPhase({ ...status, progress: null })).toBe('starting the server of frog: loading');
});

test('the record tells whose server it was', () => {
  expect(serverNotes({ started: true, info }, status, 4)).toEqual([
    'the server of frog (vllm 0.33.0) was started for this session, ready after 61.2 s, and ends when nobody uses it any more',
  ]);
  expect(serverNotes({ started: false, info }, status, 1)).toEqual([
    'the server of frog (vllm 0.33.0) ran already, since 2026-11-29T20:00:00.000Z, and goes on',
  ]);
});

test('more attempts at a time than the server takes are told', () => {
  const [, second] = serverNotes({ started: true, info }, status, 8);
  expect(second).toBe(
    '8 attempts at a time share a server for 4: they wait for each other and may lose their cached prompts',
  );
});
