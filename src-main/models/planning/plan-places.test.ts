import { describe, expect, it } from 'vitest';
import type { ModelFacts, ServerPlan } from '../servers/types.ts';
import { makePlan } from './index.ts';
import { GIB, type PlanInput } from './setup.ts';
import {
  card,
  CARD_16,
  CARD_24,
  CARD_48,
  fp8,
  input,
  machine,
  MINI,
  MINI_PROFILE,
  NANO,
  q4,
} from './testing.ts';

const KIB = 1024;

const MACHINES = {
  '24 GB': machine(32, [card(0, CARD_24)]),
  '16 GB': machine(32, [card(0, CARD_16)]),
  '48 GB': machine(64, [card(0, CARD_48)]),
  '2 x 24 GB': machine(64, [card(0, CARD_24), card(1, CARD_24)]),
  'no GPU, 24 GiB': machine(24),
} as const;

function planOf(where: keyof typeof MACHINES, facts: ModelFacts, mini: boolean): ServerPlan {
  const gguf = facts.format === 'gguf';
  const base = mini ? MINI_PROFILE : {};
  const onCpu = where.startsWith('no GPU');
  return makePlan(
    input({
      facts,
      machine: MACHINES[where],
      engine: gguf ? 'llamacpp' : 'vllm',
      version: onCpu && !gguf ? '0.32.0+cpu' : '0.33.0',
      profile: base,
    }),
  );
}

describe('FrogNano-4B, 131,072 tokens', () => {
  it('takes 32 KiB a token and 50 MiB a conversation, however long', () => {
    const { estimate } = planOf('24 GB', NANO, false);
    expect(estimate.kvBytesPerToken).toBe(32 * KIB);
    expect(estimate.stateBytesPerSequence).toBe(52_690_944);
    expect(estimate.stateBytes).toBe(52_690_944);
  });

  it.each([
    ['24 GB', NANO, 'gpu', [0], 1],
    ['16 GB', NANO, 'gpu', [0], 1],
    ['48 GB', NANO, 'gpu', [0], 1],
    ['2 x 24 GB', NANO, 'gpu', [0, 1], 2],
    ['no GPU, 24 GiB', NANO, 'cpu', [], 1],
    ['24 GB', fp8(NANO), 'gpu', [0], 1],
    ['24 GB', q4(NANO), 'gpu', [0], 1],
    ['16 GB', q4(NANO), 'gpu', [0], 1],
    // One holds all of it: a second would only cost.
    ['2 x 24 GB', q4(NANO), 'gpu', [0], 1],
    ['no GPU, 24 GiB', q4(NANO), 'cpu', [], 1],
  ] as const)('fits on %s (%#)', (where, facts, device, gpus, tensorParallel) => {
    expect(planOf(where, facts, false)).toMatchObject({
      device,
      gpus,
      tensorParallel,
      contextTokens: 131_072,
      sequences: 1,
      gpuLayers: null,
      fits: true,
      advice: [],
    });
  });

  it('says what it chose, with sizes', () => {
    expect(planOf('24 GB', NANO, false).reason).toBe(
      'vLLM on GPU 0 (NVIDIA Card 24564): 131,072 tokens of context for 1 conversation, about 21.6 GiB (estimate): weights 7.8 GiB, KV cache 12.5 GiB (32.0 KiB a token), states 50.3 MiB, engine 1.2 GiB, of 21.6 GiB; it takes its share of 90 % at once, and needs 13.0 GiB',
    );
    expect(planOf('24 GB', q4(NANO), false).reason).toBe(
      'llama.cpp on GPU 0 (NVIDIA Card 24564): 131,072 tokens of context for 1 conversation, about 7.5 GiB (estimate): weights 2.4 GiB, KV cache 4.0 GiB (32.0 KiB a token), states 50.3 MiB, engine 1.1 GiB, of 23.4 GiB; up to 804 MiB of host memory more as conversations get long',
    );
  });
});

describe('FrogMini-14B, 65,536 tokens', () => {
  it('takes 160 KiB a token and no state', () => {
    const { estimate } = planOf('24 GB', q4(MINI), true);
    expect(estimate).toMatchObject({
      kvBytesPerToken: 160 * KIB,
      stateBytesPerSequence: 0,
      kvBytes: 10 * GIB,
      stateBytes: 0,
    });
  });

  it.each([
    ['24 GB', q4(MINI), 'gpu', 65_536],
    ['24 GB', fp8(MINI), 'gpu', 36_864],
    ['48 GB', MINI, 'gpu', 65_536],
    ['2 x 24 GB', MINI, 'gpu', 65_536],
    ['16 GB', q4(MINI), 'split', 65_536],
    ['no GPU, 24 GiB', q4(MINI), 'cpu', 65_536],
  ] as const)('fits on %s (%#)', (where, facts, device, contextTokens) => {
    const plan = planOf(where, facts, true);
    expect(plan).toMatchObject({ device, contextTokens, sequences: 1, fits: true });
  });

  it.each([
    ['24 GB', MINI],
    ['16 GB', MINI],
    ['16 GB', fp8(MINI)],
    ['no GPU, 24 GiB', MINI],
  ] as const)('does not fit on %s (%#)', (where, facts) => {
    const plan = planOf(where, facts, true);
    expect(plan.fits).toBe(false);
    expect(plan.estimate.totalBytes).toBeGreaterThan(plan.availableBytes);
    expect(plan.reason).toMatch(/^does not fit: /);
  });

  it('at 16 bits on 24 GB: what would fit is told, most useful first', () => {
    const plan = planOf('24 GB', MINI, true);
    expect(plan.reason).toBe(
      'does not fit: vLLM on GPU 0 (NVIDIA Card 24564) needs about 29.4 GiB (estimate): weights 27.5 GiB, KV cache 640 MiB (160 KiB a token), engine 1.3 GiB, for 4,096 tokens of context for 1 conversation; 21.6 GiB are usable',
    );
    expect(plan.advice).toEqual([
      'use an AWQ or GPTQ file of 4 bits (about 8.9 GiB in place of 27.5 GiB): 65,536 tokens of context for 1 conversation',
      'use an FP8 file (about 14.6 GiB in place of 27.5 GiB): 36,864 tokens of context for 1 conversation',
      'use a Q4_K_M GGUF (about 8.3 GiB) with the engine llamacpp: 65,536 tokens of context for 1 conversation',
    ]);
  });

  it('at 8 bits on 24 GB: the window is shortened, and what would keep it is told', () => {
    const plan = planOf('24 GB', fp8(MINI), true);
    expect(plan.reason).toContain('; 65,536 tokens do not fit');
    expect(plan.advice[0]).toBe(
      'set the flag --kv-cache-dtype to fp8 (a little less exact): 65,536 tokens of context for 1 conversation',
    );
  });

  it('shared by GPU and processor: layers, and what the GPU alone would hold', () => {
    const plan = planOf('16 GB', q4(MINI), true);
    expect(plan.gpuLayers).toBe(31);
    expect(plan.reason).toContain('GPU 0 (NVIDIA Card 16376) with 31 of 40 layers');
    expect(plan.reason).toContain('faster with device: gpu, which holds 38,912 tokens');
    expect(plan.advice).toEqual([]);
  });
});

describe('what was asked for is cut in this order', () => {
  it('fewer conversations before a shorter window', () => {
    const plan = makePlan(input({ profile: { sequences: 8 } }));
    expect(plan).toMatchObject({ contextTokens: 131_072, sequences: 3, fits: true });
    expect(plan.reason).toContain('; 8 conversations at a time do not fit');
    expect(plan.advice).toContain(
      'set contextTokens to 49,152: 49,152 tokens of context for 8 conversations',
    );
  });

  it('never under 4,096 tokens', () => {
    const tight = machine(32, [card(0, 12_288)]);
    const nearly = makePlan(input({ machine: tight, engine: 'vllm' }));
    expect(nearly.contextTokens % 1_024).toBe(0);
    const none = makePlan(input({ machine: machine(32, [card(0, 8_192)]) }));
    expect(none).toMatchObject({ contextTokens: 4_096, sequences: 1, fits: false });
  });

  it('a trained window under 4,096 is taken whole', () => {
    const small = { ...NANO, trainedContextTokens: 2_048 };
    const plan = makePlan(input({ facts: small }));
    expect(plan).toMatchObject({ contextTokens: 2_048, fits: true, advice: [] });
    expect(plan.reason).toContain('the model was trained with 2,048 tokens, not 131,072');
  });

  it('the trained window holds unless the profile overrides it', () => {
    const at = (configOverrides: Record<string, unknown>): number =>
      makePlan(
        input({
          facts: q4(MINI),
          engine: 'llamacpp',
          profile: { ...MINI_PROFILE, configOverrides },
        }),
      ).contextTokens;
    expect(at({})).toBe(40_960);
    expect(at({ max_position_embeddings: 65_536 })).toBe(65_536);
  });
});

describe('GPUs', () => {
  const gpus = (...all: PlanInput['machine']['gpus']): PlanInput['machine'] => machine(64, all);
  const unlike = card(1, CARD_16);

  it('a model is divided over equal ones only', () => {
    const mixed = makePlan(input({ machine: gpus(card(0, CARD_24), unlike) }));
    expect(mixed).toMatchObject({ tensorParallel: 1, gpus: [0] });
    const three = gpus(card(0, CARD_24), unlike, card(2, CARD_24));
    expect(makePlan(input({ machine: three }))).toMatchObject({ tensorParallel: 2, gpus: [0, 2] });
  });

  it('into parts that the heads allow', () => {
    const three = gpus(card(0, CARD_24), card(1, CARD_24), card(2, CARD_24));
    expect(makePlan(input({ machine: three })).tensorParallel).toBe(2);
    const sixHeads = { ...NANO, layers: { ...NANO.layers, kvHeads: 6 } };
    expect(makePlan(input({ machine: three, facts: sixHeads })).tensorParallel).toBe(3);
  });

  it('as many as are asked for, or none', () => {
    const two = gpus(card(0, CARD_24), card(1, CARD_24));
    expect(makePlan(input({ machine: two, profile: { tensorParallel: 1 } })).gpus).toEqual([0]);
    const four = makePlan(input({ machine: two, profile: { tensorParallel: 4 } }));
    expect(four).toMatchObject({ fits: false, gpus: [] });
    expect(four.reason).toBe(
      'does not fit: tensorParallel 4 needs as many equal GPUs, and there are 2 in all',
    );
  });

  it('the freest are used', () => {
    const busy = gpus(card(0, CARD_24, 3_000), card(1, CARD_24));
    expect(makePlan(input({ machine: busy }))).toMatchObject({ gpus: [1], fits: true });
  });

  it('llama.cpp adds unlike ones up', () => {
    const plan = makePlan(
      input({
        facts: q4(MINI),
        engine: 'llamacpp',
        machine: gpus(card(0, 12_288), card(1, 12_282)),
        profile: MINI_PROFILE,
      }),
    );
    expect(plan).toMatchObject({ device: 'gpu', gpus: [0, 1], tensorParallel: 1, fits: true });
  });

  it('a model that is answered before a driver has started stays on the processor', () => {
    const tiny = { ...q4(NANO), weightBytes: 7_000_000 };
    const at = (device: 'auto' | 'gpu'): string =>
      makePlan(input({ facts: tiny, engine: 'llamacpp', profile: { device } })).device;
    expect([at('auto'), at('gpu')]).toEqual(['cpu', 'gpu']);
  });

  it('one that shares the memory of the machine has that memory', () => {
    const shared = { ...card(0, 1), totalBytes: null, freeBytes: null };
    const plan = makePlan(input({ machine: machine(121, [shared], 113) }));
    expect(plan).toMatchObject({ device: 'gpu', fits: true });
    expect(plan.availableBytes).toBe(Math.floor(0.9 * 121 * GIB));
  });
});
