import { expect, it } from 'vitest';
import { openServer, TADPOLE } from '../engines/llamacpp/testing.ts';
import { benchModel } from './bench-model.ts';

it('measures a model through its server', async () => {
  const { handle } = await openServer(TADPOLE);
  try {
    const result = await benchModel(handle, { name: 'tadpole' });
    expect(result.promptTokensPerSecond).toBeGreaterThan(0);
    expect(result.generatedTokensPerSecond).toBeGreaterThan(0);
    expect(result.firstTokenMs).toBeGreaterThan(0);
    expect(result.turns).toHaveLength(10);
    // A reply of four tokens stands between what was sent and what comes next.
    for (const { reusedShare } of result.turns.slice(1)) {
      expect(reusedShare).toBeGreaterThanOrEqual(0.95);
    }
    const sizes = result.turns.map(({ promptTokens }) => promptTokens ?? 0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)).toBeLessThanOrEqual(2_048 - 4);
  } finally {
    await handle.close();
  }
});
