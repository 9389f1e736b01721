import { describe, expect, it } from 'vitest';
import { attemptFacts } from './attempts.ts';
import { attemptSeries } from './series.ts';
import { recordOf, startedBody, stepBody } from './testing.ts';

const MIB = 1024 ** 2;
const USAGE = { promptTokens: 1000, completionTokens: 50, cachedTokens: 900 };
const EVENTS = recordOf([
  ['s.1', startedBody(1)],
  ['s.1', stepBody(1, { usage: { ...USAGE, promptTokens: 500, cachedTokens: null } })],
  ['s.2', stepBody(1, { usage: USAGE })],
  ['s.1', stepBody(2, { usage: USAGE, memory: { workspaceBytes: MIB, modelBytes: 2 * MIB } })],
  ['s.1', stepBody(3)],
]);

describe('figures of an attempt', () => {
  const series = attemptSeries(EVENTS, 's.1', []);

  it('have one axis from the start of the first step to the end of the last', () => {
    expect(series.spans).toEqual([
      { id: 1, from: 1_000_500, to: 1_001_000 },
      { id: 2, from: 1_002_500, to: 1_003_000 },
      { id: 3, from: 1_003_500, to: 1_004_000 },
    ]);
    expect(series.times).toEqual([1_001_000, 1_003_000, 1_004_000]);
    expect(series.range).toEqual([1_000_500, 1_004_000]);
  });

  it('tell tokens apart: cached ones, and those read anew', () => {
    expect(series.tokens).toEqual({
      prompt: [500, 1000, null],
      cached: [null, 900, null],
      fresh: [500, 100, null],
      completion: [50, 50, null],
    });
    expect(series.context).toEqual([550, 1050, null]);
  });

  it('split the time in seconds', () => {
    expect(series.seconds).toEqual({
      model: [0.3, 0.3, 0.3],
      tools: [0.2, 0.2, 0.2],
      own: [0, 0, 0],
    });
  });

  it('go on with the looks of the running step', () => {
    const look = { at: 1_009_000, workspaceBytes: 3 * MIB, modelBytes: null, appBytes: MIB };
    const live = attemptSeries(EVENTS, 's.1', [{ ...look, at: 1_002_000 }, look]);
    expect(live.memory.times).toEqual([1_001_000, 1_003_000, 1_004_000, 1_009_000]);
    expect(live.memory.workspace).toEqual([null, MIB, null, 3 * MIB]);
    expect(live.memory.app).toEqual([null, null, null, MIB]);
    expect(live.range).toEqual([1_000_500, 1_009_000]);
  });

  it('are empty before the first step', () => {
    expect(attemptSeries([], 's.1', []).range).toBeNull();
  });

  it('make the facts of the head', () => {
    expect(attemptFacts(EVENTS, 's.1')).toEqual({
      ...{ step: 3, contextTokens: 1050, cachedShare: 0.6, startedAt: 1_000_000, endedAt: null },
      seconds: { model: expect.closeTo(0.9), tools: expect.closeTo(0.6), own: 0 },
    });
  });
});
