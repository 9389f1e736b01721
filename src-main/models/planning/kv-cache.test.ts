import { describe, expect, it } from 'vitest';
import type { LayerFacts } from '../servers/types.ts';
import {
  cacheTypes,
  checkpointBytes,
  kvBytes,
  kvBytesPerToken,
  stateBytesPerSequence,
} from './kv-cache.ts';
import { growthBytes, repackedBytes, WINDOW_BATCH_TOKENS } from './llamacpp-memory.ts';
import { makePlan } from './make-plan.ts';
import { batchTokens, gpuOverhead, loadedWeightBytes } from './python-memory.ts';
import { GIB, MIB } from './setup.ts';
import { fp8, input, machine, MINI, NANO, PROFILE, q4 } from './testing.ts';

const PLAIN = cacheTypes(PROFILE);
const LLAMA = { batchTokens: WINDOW_BATCH_TOKENS.llamacpp, unitTokens: 256 };

const SMOLLM: LayerFacts = {
  total: 30,
  hiddenSize: 576,
  fullAttention: 30,
  sliding: null,
  recurrent: null,
  kvHeads: 3,
  keySize: 64,
  valueSize: 64,
};
const GEMMA: LayerFacts = {
  total: 18,
  hiddenSize: 640,
  fullAttention: 3,
  sliding: { layers: 15, windowTokens: 512 },
  recurrent: null,
  kvHeads: 1,
  keySize: 256,
  valueSize: 256,
};

describe('the cache, as llama.cpp printed its size at the start', () => {
  it.each([
    ['SmolLM2', SMOLLM, 1_024, 1, 22.5],
    ['SmolLM2', SMOLLM, 4_096, 2, 180],
    ['SmolLM2', SMOLLM, 8_192, 1, 180],
    // Three layers that grow, and 15 that stop at 1,280 tokens: the window and a batch, padded.
    ['Gemma 3', GEMMA, 2_048, 1, 6 + 18.75],
    ['Gemma 3', GEMMA, 8_192, 2, 48 + 37.5],
    ['Gemma 3', GEMMA, 32_768, 1, 96 + 18.75],
  ])('%s (%#)', (_name, layers, contextTokens, sequences, mib) => {
    expect(kvBytes(layers, PLAIN, { ...LLAMA, contextTokens, sequences })).toBe(mib * MIB);
  });

  it('a window longer than the context is the context', () => {
    const shape = { ...LLAMA, contextTokens: 512, sequences: 1 };
    expect(kvBytes(GEMMA, PLAIN, shape)).toBe(18 * 1_024 * 512);
  });
});

describe('sizes of a token and of a state', () => {
  it('FrogNano: 32 KiB and 50 MiB; FrogMini: 160 KiB and none', () => {
    expect(kvBytesPerToken(NANO.layers, PLAIN)).toBe(32 * 1_024);
    expect(stateBytesPerSequence(NANO.layers)).toBe(52_690_944);
    expect(kvBytesPerToken(MINI.layers, PLAIN)).toBe(160 * 1_024);
    expect(stateBytesPerSequence(MINI.layers)).toBe(0);
  });

  it.each([
    [{ '--kv-cache-dtype': 'fp8' }, 80],
    [{ '--kv-cache-dtype': 'fp8_e5m2' }, 80],
    [{ '--kv-cache-dtype': 'auto' }, 160],
    [{ '-ctk': 'q8_0', '-ctv': 'q8_0' }, 85],
    [{ '--cache-type-k': 'q8_0' }, 122.5],
    [{ '--cache-type-k': 'nonsense' }, 160],
  ])('flags %j: FrogMini takes %d KiB a token', (flags, kib) => {
    const types = cacheTypes({ ...PROFILE, flags });
    expect(kvBytesPerToken(MINI.layers, types)).toBe(kib * 1_024);
  });
});

describe('what llama.cpp takes of the host by and by', () => {
  it('copies of states and windows, none for full attention', () => {
    expect(checkpointBytes(NANO.layers, PLAIN)).toBe(52_690_944);
    // Measured over 22 turns: 7.5 MiB each, and 117 MiB in all.
    expect(checkpointBytes(GEMMA, PLAIN)).toBe(7.5 * MIB);
    expect(checkpointBytes(MINI.layers, PLAIN)).toBe(0);
  });

  it('16 for each conversation in our server, 1 GiB at most; 32 in llama-server', () => {
    const nano = input({ facts: q4(NANO), profile: { prefixCaching: false } });
    expect(growthBytes(nano, 'llamacpp', 1)).toBe(16 * 52_690_944);
    expect(growthBytes(nano, 'llamacpp', 3)).toBe(48 * 52_690_944);
    expect(growthBytes(nano, 'llama-server', 1)).toBe(32 * 52_690_944);
    const wide = { ...NANO.layers, recurrent: { layers: 24, bytesPerSequence: 100 * MIB } };
    expect(growthBytes({ ...nano, facts: { ...NANO, layers: wide } }, 'llamacpp', 1)).toBe(GIB);
    const fewer = input({ facts: q4(NANO), profile: { flags: { '--ctx-checkpoints': 4 } } });
    expect(growthBytes(fewer, 'llamacpp', 1)).toBe(4 * 52_690_944);
  });

  it('prompts that llama-server keeps: an eighth of what is free, up to 2 GiB, or the flag', () => {
    const at = (gib: number, flags = {}): number =>
      growthBytes(
        input({ facts: q4(MINI), machine: machine(gib, [], gib), profile: { flags } }),
        'llama-server',
        1,
      );
    expect(at(8)).toBe(GIB);
    expect(at(64)).toBe(2 * GIB);
    expect(at(64, { '--cache-ram': 100 })).toBe(100 * MIB);
    expect(at(64, { '--cache-ram': 0 })).toBe(0);
  });
});

describe('weights', () => {
  it('are there twice on a processor in types that llama.cpp reorders', () => {
    const known = { ...q4(NANO), weightTypes: { Q4_K: 1_000, Q6_K: 500, Q4_0: 20 } };
    expect(repackedBytes(known, {})).toBe(1_020);
    expect(repackedBytes(known, { amx: true })).toBe(1_520);
    expect(repackedBytes(q4(NANO), {})).toBe(Math.round(0.65 * q4(NANO).weightBytes));
    const q8 = { ...q4(NANO), quantization: 'Q8_0' };
    expect(repackedBytes(q8, {})).toBe(0);
    expect(repackedBytes(q8, { amx: true })).toBe(Math.round(0.95 * q8.weightBytes));
    expect(repackedBytes({ ...q8, quantization: 'F16' }, { amx: true })).toBe(0);
  });

  it('vLLM makes 16 bits of 32, and 8 of 16 when asked', () => {
    const wide = { ...MINI, quantization: 'float32', weightBytes: 2 * MINI.weightBytes };
    expect(loadedWeightBytes(wide, PROFILE)).toBe(MINI.weightBytes);
    const flags = { '--quantization': 'fp8' };
    const table = 151_936 * 5_120 * 2;
    expect(loadedWeightBytes(MINI, { ...PROFILE, flags })).toBe(
      table + (MINI.weightBytes - table) / 2,
    );
    expect(loadedWeightBytes(fp8(MINI), { ...PROFILE, flags })).toBe(fp8(MINI).weightBytes);
  });
});

describe('what vLLM takes besides', () => {
  it('is what it reported for an 8B model on a big device: 1.26 GiB of work', () => {
    const llama8b = {
      ...MINI,
      vocabularySize: 128_256,
      layers: { ...MINI.layers, hiddenSize: 4_096 },
    };
    const flags = { '--enforce-eager': true };
    const work = gpuOverhead(llama8b, { ...PROFILE, flags }, 256, 80 * GIB) - 512 * MIB;
    expect(work / GIB).toBeGreaterThan(1.26 * 0.9);
    expect(work / GIB).toBeLessThan(1.26 * 1.15);
  });

  it('depends on the tokens evaluated at a time', () => {
    expect(batchTokens(PROFILE, 24 * GIB)).toBe(2_048);
    expect(batchTokens(PROFILE, 80 * GIB)).toBe(8_192);
    const flags = { '--max-num-batched-tokens': '4096' };
    expect(batchTokens({ ...PROFILE, flags }, 80 * GIB)).toBe(4_096);
  });

  it('on a processor has a pool of whole GiB', () => {
    const change = { machine: machine(24), version: '0.32.0+cpu' };
    const one = makePlan(input({ ...change, profile: { contextTokens: 8_192 } })).estimate;
    expect(one.kvBytes + one.stateBytes).toBe(GIB);
    const more = makePlan(input({ ...change, profile: { contextTokens: 65_536 } })).estimate;
    expect(more.kvBytes + more.stateBytes).toBe(3 * GIB);
  });
});
