import { describe, expect, test, vi } from 'vitest';
import type { ServerFigures, ServerSample } from '../servers/types.ts';
import { createSampler } from './index.ts';
import { createLook } from './sampler.ts';

const FIGURES: ServerFigures = {
  running: 1,
  waiting: 2,
  kvUsed: 0.5,
  promptTokens: 1000,
  generatedTokens: 100,
  cacheQueriedTokens: 1000,
  cacheHitTokens: 600,
  firstTokenSecondsSum: 2,
  firstTokenCount: 4,
};

const NO_RATES = {
  promptPerSecond: null,
  generatedPerSecond: null,
  cacheHitShare: null,
  firstTokenMs: null,
  interval: null,
};

/** Looks at what is set, with a clock that goes on as told. */
function setUp() {
  const now = { pids: [] as number[], figures: null as ServerFigures | null, ms: 0 };
  const look = createLook({
    pids: () => now.pids,
    figures: () => Promise.resolve(now.figures),
    gpu: null,
    clock: { wall: () => 1_700_000_000_000 + now.ms, steady: () => now.ms },
  });
  const after = (ms: number, figures: ServerFigures | null): Promise<ServerSample> => {
    now.ms += ms;
    now.figures = figures;
    return look();
  };
  return { now, after };
}

describe('a look', () => {
  test('first without rates, then with those of the time since', async () => {
    const { after } = setUp();
    expect(await after(5, FIGURES)).toEqual({
      at: 1_700_000_000_005,
      memoryBytes: null,
      gpuBytes: null,
      gpuUtilization: null,
      figures: FIGURES,
      ...NO_RATES,
      alert: null,
    });
    const figures = {
      ...FIGURES,
      promptTokens: 1600,
      generatedTokens: 150,
      cacheQueriedTokens: 1600,
      cacheHitTokens: 1080,
      firstTokenSecondsSum: 2.5,
      firstTokenCount: 6,
    };
    expect(await after(1250, figures)).toMatchObject({
      promptPerSecond: 480,
      generatedPerSecond: 40,
      cacheHitShare: 0.8,
      firstTokenMs: 250,
      interval: {
        ms: 1250,
        promptTokens: 600,
        generatedTokens: 50,
        cacheQueriedTokens: 600,
        cacheHitTokens: 480,
        firstTokenSeconds: 0.5,
        firstTokenCount: 2,
      },
    });
    expect(await after(1000, figures)).toMatchObject({
      promptPerSecond: 0,
      generatedPerSecond: 0,
      cacheHitShare: null,
      firstTokenMs: null,
      interval: { ms: 1000, promptTokens: 0, firstTokenCount: 0 },
    });
  });

  test('without figures leaves the count to the next one', async () => {
    const { after } = setUp();
    await after(0, FIGURES);
    expect(await after(1000, null)).toMatchObject({ figures: null, ...NO_RATES });
    const next = await after(1000, { ...FIGURES, generatedTokens: 120 });
    expect(next).toMatchObject({ generatedPerSecond: 10, interval: { ms: 2000 } });
  });

  test('after a restart has no rates, whether counters went back or the processes are others', async () => {
    const { now, after } = setUp();
    now.pids = [2 ** 22 + 1, 2 ** 22 + 2];
    await after(0, FIGURES);
    const fresh = { ...FIGURES, promptTokens: 10, generatedTokens: 5 };
    expect(await after(1000, fresh)).toMatchObject({ figures: fresh, ...NO_RATES });
    expect(await after(1000, { ...fresh, generatedTokens: 8 })).toMatchObject({
      generatedPerSecond: 3,
    });
    now.pids = [2 ** 22 + 2, 2 ** 22 + 3];
    expect(await after(1000, { ...fresh, generatedTokens: 9 })).toMatchObject({
      generatedPerSecond: 1,
    });
    now.pids = [2 ** 22 + 4];
    expect(await after(1000, { ...fresh, generatedTokens: 99 })).toMatchObject(NO_RATES);
  });

  test('what a server does not count stays unknown', async () => {
    const { after } = setUp();
    const little = { ...FIGURES, cacheHitTokens: null, firstTokenCount: null, promptTokens: null };
    await after(0, little);
    expect(await after(500, { ...little, generatedTokens: 101 })).toMatchObject({
      promptPerSecond: null,
      generatedPerSecond: 2,
      cacheHitShare: null,
      firstTokenMs: null,
      interval: { promptTokens: null, cacheHitTokens: null, generatedTokens: 1 },
    });
  });

  test('takes memory from the kernel and the GPU watch for the processes of the moment', async () => {
    const asked: (readonly number[])[] = [];
    const look = createLook({
      pids: () => [process.pid],
      figures: () => Promise.reject(new Error('refused')),
      gpu: {
        bytesOf: (pids) => (asked.push(pids), 42),
        utilizationOf: () => 0.25,
        alert: () => 'GPU 0 is lost',
      },
    });
    const sample = await look();
    expect(sample.memoryBytes).toBeGreaterThan(10_000_000);
    expect(sample).toMatchObject({
      gpuBytes: 42,
      gpuUtilization: 0.25,
      alert: 'GPU 0 is lost',
      figures: null,
    });
    expect(asked).toEqual([[process.pid]]);
  });
});

describe('the sampler', () => {
  test('never overlaps: a look that takes long makes others fall out', async () => {
    let running = 0;
    let most = 0;
    let asked = 0;
    const samples: ServerSample[] = [];
    const sampler = createSampler({
      pids: () => [],
      figures: async () => {
        asked += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 60));
        running -= 1;
        return FIGURES;
      },
      gpu: null,
      intervalMs: 10,
      onSample: (sample) => void samples.push(sample),
    });
    await vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
    sampler.stop();
    const taken = samples.length;
    expect(most).toBe(1);
    expect(asked - taken).toBeLessThanOrEqual(1);
    expect((samples[1]?.at ?? 0) - (samples[0]?.at ?? 0)).toBeGreaterThanOrEqual(55);
    await vi.waitFor(() => expect(running).toBe(0));
    expect(samples).toHaveLength(taken);
  });

  test('asks for processes as seldom as it costs: 4 ms allow one in 2 s', async () => {
    let asked = 0;
    let samples = 0;
    const sampler = createSampler({
      pids: () => {
        asked += 1;
        for (const end = performance.now() + 4; performance.now() < end;);
        return [];
      },
      figures: () => Promise.resolve(null),
      gpu: null,
      intervalMs: 5,
      onSample: () => void (samples += 1),
    });
    await vi.waitFor(() => expect(samples).toBeGreaterThanOrEqual(20), { timeout: 1900 });
    sampler.stop();
    expect(asked).toBe(1);
  });

  test('goes on where a sample cannot be kept, and warns once', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    let tries = 0;
    const sampler = createSampler({
      pids: () => [],
      figures: () => Promise.resolve(null),
      gpu: null,
      intervalMs: 5,
      onSample: () => {
        tries += 1;
        throw new Error('the disk is full');
      },
    });
    await vi.waitFor(() => expect(tries).toBeGreaterThanOrEqual(3));
    sampler.stop();
    expect(warn.mock.calls).toEqual([['a look at a model server failed: the disk is full']]);
    warn.mockRestore();
  });

  test('a server that never answers leaves the other figures as they are', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      const samples: ServerSample[] = [];
      let asked = 0;
      const sampler = createSampler({
        pids: () => [process.pid],
        figures: () => {
          asked += 1;
          return new Promise(() => {});
        },
        gpu: null,
        onSample: (sample) => void samples.push(sample),
      });
      vi.advanceTimersByTime(1000);
      await vi.advanceTimersByTimeAsync(5000);
      await vi.waitFor(() => expect(samples).toHaveLength(1));
      vi.advanceTimersByTime(1000);
      await vi.waitFor(() => expect(samples).toHaveLength(2));
      sampler.stop();
      expect(asked).toBe(1);
      expect(samples[1]?.figures).toBeNull();
      expect(samples[1]?.memoryBytes).toBeGreaterThan(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
