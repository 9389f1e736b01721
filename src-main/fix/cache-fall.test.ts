import { describe, expect, test } from 'vitest';
import { explainCacheFall, type CacheTurn, type ServerGlimpse } from './cache-fall.ts';

/** Turn after turn of 1000 tokens more, 200 of them written by the model. */
function turn(
  step: number,
  cachedTokens: number | null,
  change: Partial<CacheTurn> = {},
): CacheTurn {
  return {
    step,
    promptTokens: step * 1000,
    completionTokens: 200,
    cachedTokens,
    repaired: false,
    userMessage: false,
    thought: false,
    ...change,
  };
}

const QUIET: ServerGlimpse = { restarted: false, requests: 1, sequences: 1, kvUsed: 0.4 };
/** Two turns that reuse all there is; what may be judged follows. */
const BEGUN = [turn(1, 0), turn(2, 1184), turn(3, 2192)];

describe('nothing is said', () => {
  test('of a first turn, and of turns that reuse what was sent', () => {
    expect(explainCacheFall([], QUIET)).toBeNull();
    expect(explainCacheFall([turn(1, 0)], QUIET)).toBeNull();
    expect(explainCacheFall(BEGUN, QUIET)).toBeNull();
    // Exactly half is not a fall.
    expect(explainCacheFall([...BEGUN, turn(4, 1600)], QUIET)).toBeNull();
  });

  test('where the server does not say: of the cached tokens, or of any', () => {
    const silent = [1, 2, 3, 4, 5, 6].map((step) => turn(step, null));
    expect(explainCacheFall(silent, null)).toBeNull();
    const uncounted = [1, 2, 3, 4, 5].map((step) => turn(step, 0, { promptTokens: null }));
    expect(explainCacheFall(uncounted, QUIET)).toBeNull();
    expect(explainCacheFall([...BEGUN, turn(4, null)], QUIET)).toBeNull();
  });

  test('of short prompts, of which a block of the cache is a large part', () => {
    const small = [1, 2, 3, 4, 5].map((step) => turn(step, 0, { promptTokens: 327 }));
    expect(explainCacheFall(small, QUIET)).toBeNull();
    const blocks = [turn(1, 0, { promptTokens: 855 }), turn(2, 528, { promptTokens: 1400 })];
    expect(explainCacheFall(blocks, QUIET)).toBeNull();
  });

  test('of a long thought that the template drops, since what is left was reused', () => {
    const turns = [
      turn(1, 0, { promptTokens: 5000, completionTokens: 8000, thought: true }),
      turn(2, 5000, { promptTokens: 6200 }),
    ];
    expect(explainCacheFall(turns, QUIET)).toBeNull();
  });

  test('of one bad turn in between, and of a fall that was told at the turn before', () => {
    expect(explainCacheFall([turn(1, 0), turn(2, 0), turn(3, 0)], QUIET)).toBeNull();
    const fallen = [...BEGUN, turn(4, 0)];
    for (const more of [1, 2, 3]) {
      const on = Array.from({ length: more }, (_, index) => turn(5 + index, 0));
      expect(explainCacheFall([...fallen, ...on], QUIET)).toBeNull();
    }
  });
});

describe('a sudden fall', () => {
  const fallTo = (cached: number, change: Partial<CacheTurn> = {}) => [
    ...BEGUN,
    turn(4, cached, change),
  ];

  test('(e) the server was restarted', () => {
    expect(explainCacheFall(fallTo(0), { ...QUIET, restarted: true, kvUsed: 1 })).toEqual({
      cause: 'restarted',
      text:
        'the prompt was computed anew: the server was started again in between. Step 4 reused 0 of ' +
        '3,200 tokens (0 %, the step before 100 %). The next step is fast again.',
    });
  });

  test('(a) a nudge made the template drop thoughts: the loop knows', () => {
    const turns = [
      turn(1, 0, { thought: true }),
      turn(2, 1184, { thought: true }),
      turn(3, 2192, { userMessage: true }),
      turn(4, 900),
    ];
    expect(explainCacheFall(turns, { ...QUIET, requests: 3 })).toEqual({
      cause: 'history',
      text:
        'the prompt was computed anew: the history is not rendered as it was a step before ' +
        '(after a message to the model, its template drops the thoughts before). Step 4 reused 900 ' +
        'of 3,200 tokens (28 %, the step before 100 %). A template that keeps thoughts, or a ' +
        'scaffold that needs no user messages, avoids it.',
    });
    const noThought = turns.map((each) => ({ ...each, thought: false }));
    expect(explainCacheFall(noThought, { ...QUIET, requests: 3 })?.cause).toBe('shared');
  });

  test('(a) the prompt became shorter', () => {
    const fall = explainCacheFall(fallTo(400, { promptTokens: 2500 }), QUIET);
    expect(fall?.cause).toBe('history');
    expect(fall?.text).toContain('(it became shorter, 2,500 after 3,000)');
  });

  test('(a) a repaired reply explains the loss of itself, and nothing more', () => {
    const repaired = [
      turn(1, 0),
      turn(2, 1184),
      turn(3, 2192, { repaired: true, completionTokens: 4000 }),
    ];
    const long = { promptTokens: 7500 };
    const fall = explainCacheFall([...repaired, turn(4, 2992, long)], QUIET);
    expect([fall?.cause, fall?.text.includes('(the last reply was repaired)')]).toEqual([
      'history',
      true,
    ]);
    expect(explainCacheFall([...repaired, turn(4, 0, long)], QUIET)?.cause).toBe('lost');
  });

  test('(a) the beginning was found and the rest was not: the template', () => {
    const fall = explainCacheFall(fallTo(992), QUIET);
    expect([
      fall?.cause,
      fall?.text.includes('(its template probably changes earlier turns)'),
    ]).toEqual(['history', true]);
    const thinking = fallTo(992).map((each) => ({ ...each, thought: true }));
    expect(explainCacheFall(thinking, null)?.text).toContain('probably drops earlier thoughts');
  });

  test('(b) other conversations share the server', () => {
    const fall = explainCacheFall(fallTo(992), { ...QUIET, requests: 3, sequences: 2 });
    expect([fall?.cause, fall?.text.includes('(3 at once, it keeps 2)')]).toEqual(['shared', true]);
    expect(explainCacheFall(fallTo(0), { ...QUIET, requests: 2, sequences: null })?.cause).toBe(
      'shared',
    );
    expect(explainCacheFall(fallTo(0), { ...QUIET, requests: 2, sequences: 2 })?.cause).toBe(
      'lost',
    );
  });

  test("(c) the server's cache is too small", () => {
    const fall = explainCacheFall(fallTo(0), { ...QUIET, kvUsed: 0.97 });
    expect([fall?.cause, fall?.text.includes('(97 % of it was in use)')]).toEqual(['small', true]);
    expect(explainCacheFall(fallTo(0), { ...QUIET, kvUsed: 0.95 })?.cause).toBe('lost');
  });

  test('no cause is made up', () => {
    for (const server of [QUIET, null]) {
      expect(explainCacheFall(fallTo(0), server)).toEqual({
        cause: 'lost',
        text:
          'the prompt was computed anew: the server dropped what it had, and no cause was found. ' +
          'Step 4 reused 0 of 3,200 tokens (0 %, the step before 100 %). The log of the server may ' +
          'tell more.',
      });
    }
  });
});

describe('a lasting one', () => {
  test('(d) never any: prefix caching is off, told at the third turn that could have reused', () => {
    const turns = [1, 2, 3, 4].map((step) => turn(step, 0));
    expect(explainCacheFall(turns, QUIET)).toEqual({
      cause: 'off',
      text:
        'the prompt is computed anew in each step: prefix caching is off, or the server reports ' +
        'none. Step 4 reused 0 of 3,200 tokens (0 %, the step before 0 %). Set `prefixCaching` in ' +
        'the profile; a vLLM of your own reports it with --enable-prompt-tokens-details.',
    });
    expect(explainCacheFall(turns.slice(0, 3), QUIET)).toBeNull();
    expect(explainCacheFall([...turns, turn(5, 0)], QUIET)).toBeNull();
    expect(explainCacheFall(turns, { ...QUIET, requests: 4 })?.cause).toBe('shared');
  });

  test('(a) thoughts dropped turn by turn: the share sinks without one big step', () => {
    const cached = [0, 1100, 1500, 1500, 1500, 1500, 1500];
    const turns = cached.map((count, index) => turn(index + 1, count, { thought: true }));
    const told = turns.map((_, index) => explainCacheFall(turns.slice(0, index + 1), QUIET)?.cause);
    // 1500 of 3,200 and less: steps 4, 5 and 6 are bad.
    expect(told).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'history',
      undefined,
    ]);
  });
});
