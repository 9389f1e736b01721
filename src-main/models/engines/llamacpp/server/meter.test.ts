import { describe, expect, it } from 'vitest';
import { toFigures } from '../reach.ts';
import { createMeter } from './meter.ts';

const IDLE = { processing: 0, deferred: 0, usedTokens: 0, roomTokens: 2_048 };

describe('the metrics page', () => {
  it('starts at nothing', () => {
    expect(toFigures(createMeter().render(IDLE))).toEqual({
      running: 0,
      waiting: 0,
      kvUsed: 0,
      promptTokens: 0,
      generatedTokens: 0,
      cacheQueriedTokens: 0,
      cacheHitTokens: 0,
      firstTokenSecondsSum: 0,
      firstTokenCount: 0,
    });
  });

  it('adds up over turns', () => {
    const meter = createMeter();
    meter.prompt(100, 0, 500);
    meter.firstToken(600);
    meter.generated(20, 1_000);
    meter.prompt(10, 120, 50);
    meter.firstToken(60);
    meter.generated(30, 1_500);
    const page = meter.render({ processing: 1, deferred: 2, usedTokens: 512, roomTokens: 2_048 });
    expect(toFigures(page)).toEqual({
      running: 1,
      waiting: 2,
      kvUsed: 0.25,
      promptTokens: 230,
      generatedTokens: 50,
      cacheQueriedTokens: 230,
      cacheHitTokens: 120,
      firstTokenSecondsSum: 0.66,
      firstTokenCount: 2,
    });
    expect(page).toContain('# TYPE llamacpp:prompt_tokens_total counter\n');
    expect(page).toContain('\nllamacpp:prompt_seconds_total 0.55\n');
    expect(page).toContain('\nllamacpp:predicted_tokens_seconds 20\n');
    expect(page.endsWith('llamacpp:time_to_first_token_seconds_count 2\n')).toBe(true);
  });
});
