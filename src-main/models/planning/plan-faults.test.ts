import { describe, expect, it } from 'vitest';
import { compare, describeEstimate, makePlan } from './index.ts';
import { GIB } from './setup.ts';
import { card, CARD_24, input, machine, MINI, MINI_PROFILE, NANO, q4 } from './testing.ts';

const WITHOUT = machine(24);

describe('no GPU', () => {
  it('an engine that needs one says so, and which engine does not', () => {
    const plan = makePlan(input({ machine: WITHOUT }));
    expect(plan).toMatchObject({ fits: false, gpus: [], availableBytes: 0 });
    expect(plan.reason).toBe('does not fit: vLLM 0.33.0 needs a GPU, and there is none to use');
    expect(plan.advice).toEqual([
      'use a Q4_K_M GGUF (about 2.4 GiB) with the engine llamacpp: 131,072 tokens of context for 1 conversation',
    ]);
  });

  it('a fault of the driver is told with it', () => {
    const broken = { ...WITHOUT, gpuFault: 'The NVIDIA driver hangs.' };
    const plan = makePlan(input({ machine: broken }));
    expect(plan.reason).toContain('there is none to use (The NVIDIA driver hangs)');
    const onCpu = makePlan(
      input({ machine: broken, facts: q4(NANO), engine: 'llamacpp', profile: { device: 'cpu' } }),
    );
    expect(onCpu.reason).not.toContain('driver');
  });

  it('device: gpu is not turned into cpu', () => {
    const plan = makePlan(
      input({ machine: WITHOUT, facts: q4(NANO), engine: 'llamacpp', profile: { device: 'gpu' } }),
    );
    expect(plan).toMatchObject({ device: 'gpu', fits: false });
    expect(plan.reason).toBe('does not fit: the device asked for is gpu, and there is none to use');
    expect(plan.advice).toEqual([
      'device: auto uses the processor for what the GPU cannot hold: 131,072 tokens of context for 1 conversation',
      'device: cpu (slow): 131,072 tokens of context for 1 conversation',
    ]);
  });

  it('a program without code for it does not use it, and says so', () => {
    const change = { facts: q4(NANO), engine: 'llamacpp', backends: ['cpu'] } as const;
    const plan = makePlan(input(change));
    expect(plan).toMatchObject({ device: 'cpu', gpus: [], fits: true });
    expect(plan.reason).toContain('(this llama.cpp has code for the processor only)');
    expect(makePlan(input({ ...change, backends: ['cpu', 'cuda'] })).device).toBe('gpu');
    const wrong = makePlan(input({ ...change, profile: { device: 'gpu' } }));
    expect(wrong.fits).toBe(false);
    expect(wrong.advice[0]).toMatch(/^device: auto uses the processor/);
  });

  it("vLLM's build for processors uses no GPU, also where there is one", () => {
    const change = { machine: machine(64, [card(0, CARD_24)]), version: '0.32.0+cpu' };
    expect(makePlan(input(change))).toMatchObject({ device: 'cpu', gpus: [], fits: true });
    const wrong = makePlan(input({ ...change, profile: { device: 'gpu' } }));
    expect(wrong.reason).toBe(
      'does not fit: vLLM 0.32.0+cpu is a build for processors, and the device asked for is gpu',
    );
  });
});

describe('a GPU that others use', () => {
  const busy = machine(32, [card(0, CARD_24, 12_000)]);

  it('vLLM does not start, and the share that is free is told', () => {
    const plan = makePlan(input({ machine: busy }));
    expect(plan.fits).toBe(false);
    expect(plan.reason).toMatch(
      /11\.7 GiB are usable, and vLLM starts only when 90 % of the GPU are free$/,
    );
    expect(plan.advice).toContain(
      'close what occupies the GPU (11.9 GiB are in use): 131,072 tokens of context for 1 conversation',
    );
    expect(plan.advice.find((line) => line.startsWith('set memoryShare to 0.47'))).toBeDefined();
  });

  it('SGLang and llama.cpp use what is left', () => {
    expect(makePlan(input({ machine: busy, engine: 'sglang', version: '0.5.23' }))).toMatchObject({
      device: 'gpu',
      fits: true,
    });
    expect(makePlan(input({ machine: busy, facts: q4(NANO), engine: 'llamacpp' }))).toMatchObject({
      device: 'gpu',
      fits: true,
    });
  });
});

describe('memory of the host', () => {
  it('what is little is named, with what the programs hold', () => {
    const full = machine(24, [], 3);
    const plan = makePlan(
      input({ machine: full, facts: q4(MINI), engine: 'llamacpp', profile: MINI_PROFILE }),
    );
    expect(plan).toMatchObject({ device: 'cpu', contextTokens: 4_096, fits: false });
    expect(plan.advice).toEqual([
      'close other programs (21.0 GiB of memory are in use): 65,536 tokens of context for 1 conversation',
    ]);
  });

  it('weights that are there twice do not refuse a model, since one copy can go', () => {
    // 8.3 GiB of weights, 65 % of them in another order too: 13.8 GiB where there is room.
    const at = (gib: number): ReturnType<typeof makePlan> =>
      makePlan(
        input({
          machine: machine(gib),
          facts: q4(MINI),
          engine: 'llamacpp',
          profile: { ...MINI_PROFILE, contextTokens: 8_192 },
        }),
      );
    expect(at(64).estimate.weightsBytes / GIB).toBeCloseTo(13.76, 1);
    expect(at(16)).toMatchObject({ fits: true, contextTokens: 8_192 });
    expect(at(16).estimate.totalBytes).toBeLessThan(at(64).estimate.totalBytes);
    expect(at(16).estimate.totalBytes).toBeLessThanOrEqual(at(16).availableBytes);
  });

  it('nothing that helps is said to be so', () => {
    const tiny = makePlan(
      input({
        machine: machine(4, [], 3),
        facts: q4(MINI),
        engine: 'llamacpp',
        profile: MINI_PROFILE,
      }),
    );
    expect(tiny.fits).toBe(false);
    expect(tiny.advice).toEqual([
      expect.stringMatching(/^use a smaller model, or add about 6\.\d GiB of memory$/),
    ]);
  });
});

describe('comparison with what was measured', () => {
  it('has both numbers and their ratio', () => {
    const plan = makePlan(input({ facts: q4(NANO), engine: 'llamacpp' }));
    const estimatedBytes = plan.estimate.totalBytes;
    expect(compare(plan, estimatedBytes * 1.1)).toEqual({
      estimatedBytes,
      measuredBytes: estimatedBytes * 1.1,
      ratio: expect.closeTo(1.1, 6),
    });
  });

  it('an estimate is called one', () => {
    const plan = makePlan(input({ facts: q4(NANO), engine: 'llamacpp' }));
    expect(describeEstimate(plan.estimate)).toBe(
      'about 7.5 GiB (estimate): weights 2.4 GiB, KV cache 4.0 GiB (32.0 KiB a token), states 50.3 MiB, engine 1.1 GiB',
    );
  });
});
