import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../../../contract/index.ts';
import { renderBench } from './bench.ts';

const RESULT: BenchResult = {
  name: 'frognano',
  loadSeconds: 34.2,
  promptTokensPerSecond: 2_345.6,
  generatedTokensPerSecond: 56.78,
  firstTokenMs: 120,
  turns: [
    { turn: 1, promptTokens: 402, cachedTokens: 0, reusedShare: null, firstTokenMs: 1_240 },
    { turn: 2, promptTokens: 811, cachedTokens: 401, reusedShare: 0.9975, firstTokenMs: 300 },
    { turn: 3, promptTokens: 1_220, cachedTokens: 805, reusedShare: 0.9926, firstTokenMs: 310 },
  ],
  memory: { estimatedBytes: 8 * 1024 ** 3, measuredBytes: 8.64 * 1024 ** 3, ratio: 1.08 },
};

describe('what models bench prints', () => {
  it('has the figures and a line for each turn', () => {
    expect(renderBench(RESULT)).toBe(
      [
        'frognano',
        '  loaded in    34 s',
        '  new prompt   2,346 tokens/s',
        '  generation   56.8 tokens/s',
        '  first token  120 ms',
        '  memory       8.6 GiB (8 % more; the estimate was 8.0 GiB)',
        '',
        'TURN  PROMPT  FROM MEMORY  FIRST TOKEN',
        '   1     402            0        1.2 s',
        '   2     811   401 (99 %)       300 ms',
        '   3   1,220   805 (99 %)       310 ms',
        '',
        'Each turn found 99 % or more of what was sent before in memory.',
        '',
      ].join('\n'),
    );
  });

  it('says it plainly where nothing was read again', () => {
    const turns = RESULT.turns.map((turn) => ({ ...turn, reusedShare: turn.turn > 1 ? 1 : null }));
    expect(renderBench({ ...RESULT, turns })).toMatch(
      /\nEach turn found all of what was sent before in memory\.\n$/,
    );
  });

  it('names the worst turn where the server reads much again', () => {
    const [first, second, third] = RESULT.turns;
    if (!first || !second || !third) throw new Error('three turns');
    const bad = { ...third, cachedTokens: 97, reusedShare: 0.1196 };
    const text = renderBench({ ...RESULT, turns: [first, second, bad] });
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'Turn 3 found only 11 % of what was sent before in memory; the rest was read again.',
    );
  });

  it('says what is not known', () => {
    const silent = {
      ...{ name: 'far away', loadSeconds: null, memory: null },
      ...{ promptTokensPerSecond: null, generatedTokensPerSecond: null, firstTokenMs: null },
      turns: [
        { turn: 1, promptTokens: null, cachedTokens: null, reusedShare: null, firstTokenMs: null },
      ],
    };
    expect(renderBench(silent)).toBe(
      [
        'far away',
        '  loaded in    it was running already',
        '  new prompt   the server does not say',
        '  generation   the server does not say',
        '  first token  ?',
        '',
        'TURN  PROMPT  FROM MEMORY  FIRST TOKEN',
        '   1       ?            ?            ?',
        '',
        'The server does not say what it found in its memory.',
        '',
      ].join('\n'),
    );
  });
});
