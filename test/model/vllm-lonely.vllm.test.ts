import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchResultSchema } from '../../src-main/contract/index.ts';
import { COMMAND } from '../cli/command.ts';
import { quoteWord, runLonely } from '../security/lonely-network.ts';
import { openVllmHome, type VllmHome } from '../support/vllm-home.ts';

const NAME = 'tiny-qwen3';
/** Tokens that vLLM's build for processors keeps together in its cache. */
const BLOCK_TOKENS = 128;

let place: VllmHome;

beforeAll(async () => {
  place = await openVllmHome(NAME);
});
afterAll(() => place?.close());

it('the whole measurement, from start to stop, sends nothing anywhere but to loopback', async () => {
  const folder = await mkdtemp(path.join(place.home, 'results-'));
  const bench = [process.execPath, COMMAND, 'models', 'bench', NAME, '--json'];
  const { codes, stdout, stderr, traffic } = await runLonely(
    [bench.map(quoteWord).join(' ')],
    folder,
    {
      cwd: folder,
      env: { ...process.env, VIVARIUM_HOME: place.home },
      read: (file) => readFile(file, 'utf8'),
    },
  );
  process.stdout.write(`${JSON.stringify(traffic)}\n${stdout[0] ?? ''}${stderr[0] ?? ''}\n`);
  expect(codes).toEqual([0]);
  expect(traffic).toEqual({
    refusedByRouting: 0,
    datagrams: 0,
    // The parts of vLLM talk over loopback, as we do with it.
    connections: expect.toSatisfy((count: number) => count >= 2),
    interfaces: ['lo'],
  });
  const measured = benchResultSchema.parse(JSON.parse(stdout[0] ?? ''));
  expect(measured.loadSeconds).toBeGreaterThan(0);
  expect(measured.generatedTokensPerSecond).toBeGreaterThan(0);
  expect(measured.turns).toHaveLength(10);
  const [first, ...later] = measured.turns;
  expect(first?.reusedShare).toBeNull();
  // Whole blocks of what came before are found, and nothing else is missing.
  let before = first?.promptTokens ?? 0;
  for (const { turn, promptTokens, cachedTokens } of later) {
    const whole = Math.floor(before / BLOCK_TOKENS) * BLOCK_TOKENS;
    expect(cachedTokens, `turn ${String(turn)}`).toBeGreaterThanOrEqual(whole);
    before = promptTokens ?? 0;
  }
  expect(await place.service.status(NAME)).toMatchObject({ state: 'stopped', pid: null });
});
