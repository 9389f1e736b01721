import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openVllmHome, type VllmHome } from '../support/vllm-home.ts';

const NAME = 'tiny-qwen35';
/** As many tokens as make the cache of one attention layer as large as the state of the others. */
const BLOCK_TOKENS = 384;

let place: VllmHome;

beforeAll(async () => {
  place = await openVllmHome(NAME);
});
afterAll(() => place?.close());

it('a hybrid model: planned with its fixed state, started, and its cache measured turn by turn', async () => {
  const { plan, faults } = await place.service.plan(NAME);
  expect(faults).toEqual([]);
  // Three layers, each with 512 channels of 3 tokens and two states of 128 x 128, of 4 bytes.
  expect(plan.estimate.stateBytesPerSequence).toBe(3 * 4 * (512 * 3 + 2 * 128 * 128));
  expect(plan.estimate.stateBytes).toBe(2 * plan.estimate.stateBytesPerSequence);
  // One layer with 2 heads of 64 keys and values, of 2 bytes.
  expect(plan.estimate.kvBytesPerToken).toBe(2 * 2 * 64 * 2);
  const measured = await place.service.bench(NAME);
  process.stdout.write(`${plan.reason}\n${JSON.stringify(measured, null, 1)}\n`);
  expect(measured.turns).toHaveLength(10);
  // Only states at the ends of whole blocks are kept, and not of all of them: what each turn finds
  // is for the user to see. From the second turn on it is something.
  const found = measured.turns.map(({ cachedTokens }) => cachedTokens ?? NaN);
  expect(found[0]).toBe(0);
  expect(found.slice(1).every((tokens) => tokens >= BLOCK_TOKENS)).toBe(true);
  expect(found.map((tokens) => tokens % BLOCK_TOKENS)).toEqual(found.map(() => 0));
  expect(measured.memory?.ratio).toBeGreaterThan(0.85);
  expect(measured.memory?.ratio).toBeLessThan(1.15);
}, 600_000);
