import { describe, expect, it } from 'vitest';
import type { Machine, ModelFacts, ModelProfile, ServerPlan } from '../servers/types.ts';
import { makePlan } from './index.ts';
import { card, fp8, input, machine, MINI, NANO, q4 } from './testing.ts';

/** Sliding layers as in Gemma, so that all kinds are tried. */
const SLIDING: ModelFacts = {
  ...q4(NANO),
  architecture: 'gemma3',
  trainedContextTokens: 131_072,
  layers: {
    ...NANO.layers,
    total: 34,
    fullAttention: 5,
    recurrent: null,
    sliding: { layers: 29, windowTokens: 1_024 },
  },
};

const MODELS: readonly ModelFacts[] = [NANO, q4(NANO), fp8(MINI), q4(MINI), SLIDING];
const CONTEXTS = [2_000, 20_000, 131_072];
const SEQUENCES = [1, 6];
const SIZES_GIB = [3, 6, 9, 12, 16, 24, 40, 80, 192];

interface Way {
  engine: 'vllm' | 'sglang' | 'llamacpp' | 'llama-server';
  version: string;
  device: ModelProfile['device'];
}

const WAYS: readonly Way[] = [
  { engine: 'vllm', version: '0.33.0', device: 'auto' },
  { engine: 'vllm', version: '0.32.0+cpu', device: 'auto' },
  { engine: 'sglang', version: '0.5.23', device: 'auto' },
  { engine: 'llamacpp', version: '3.21.1', device: 'auto' },
  { engine: 'llamacpp', version: '3.21.1', device: 'gpu' },
  { engine: 'llamacpp', version: '3.21.1', device: 'cpu' },
  { engine: 'llama-server', version: 'b9000', device: 'auto' },
];

function plan(
  { engine, version, device }: Way,
  facts: ModelFacts,
  on: Machine,
  contextTokens: number,
  sequences: number,
): ServerPlan {
  const configOverrides = { max_position_embeddings: 131_072 };
  return makePlan(
    input({
      ...{ facts, engine, version, machine: on },
      profile: { device, contextTokens, sequences, configOverrides },
    }),
  );
}

/** All models, windows and numbers of conversations on one way. */
function forEachWish(
  check: (facts: ModelFacts, contextTokens: number, sequences: number) => void,
): void {
  for (const facts of MODELS) {
    for (const contextTokens of CONTEXTS) {
      for (const sequences of SEQUENCES) check(facts, contextTokens, sequences);
    }
  }
}

const window = ({ fits, contextTokens }: ServerPlan): number => (fits ? contextTokens : 0);

/** Rows of machines, each at least as big as the one before it in all it has. */
const ROWS: Record<string, Machine[]> = {
  memory: SIZES_GIB.map((gib) => machine(gib, [], gib * 0.9)),
  'memory beside a GPU': SIZES_GIB.map((gib) => machine(gib, [card(0, 12_288)], gib * 0.9)),
  'a GPU': SIZES_GIB.map((gib) => machine(32, [card(0, gib * 1_024)])),
  'more free on the GPU': SIZES_GIB.map((gib) => machine(32, [card(0, 196_608, gib * 1_024)])),
  'equal GPUs': [0, 1, 2, 3, 4, 5, 8].map((count) =>
    machine(
      64,
      Array.from({ length: count }, (_, index) => card(index, 16_376)),
    ),
  ),
  'unlike GPUs': [0, 1, 2, 3, 4].map((count) =>
    machine(
      64,
      Array.from({ length: count }, (_, index) => card(index, 8_192 * (index + 1))),
    ),
  ),
};

/** What is wrong with a plan by itself. */
function faultsOf(made: ServerPlan, contextTokens: number, sequences: number): string[] {
  const { estimate, fits, advice } = made;
  const { weightsBytes, kvBytes, stateBytes, overheadBytes, totalBytes } = estimate;
  const shorter = made.contextTokens < contextTokens;
  const whole = !shorter && made.sequences === sequences;
  const rules: Record<string, boolean> = {
    'parts add up': weightsBytes + kvBytes + stateBytes + overheadBytes === totalBytes,
    'whole bytes': Object.values(estimate).every(Number.isInteger),
    'no more than was asked for': made.contextTokens <= contextTokens,
    'fits in what is there': !fits || totalBytes <= made.availableBytes,
    'advice when it does not fit': fits || advice.length > 0,
    'no advice when all fits': !fits || !whole || advice.length === 0,
    'conversations are cut first': !fits || !shorter || made.sequences === 1,
    'steps of 1,024, from 4,096': !fits || !shorter || isStep(made.contextTokens),
  };
  return Object.keys(rules).filter((rule) => rules[rule] !== true);
}

const isStep = (tokens: number): boolean => tokens >= 4_096 && tokens % 1_024 === 0;

describe.each(WAYS)('$engine $version, device $device', (way) => {
  it.each(Object.keys(ROWS))('more %s never means a shorter window', (name) => {
    const row = ROWS[name] ?? [];
    forEachWish((facts, contextTokens, sequences) => {
      const windows = row.map((on) => window(plan(way, facts, on, contextTokens, sequences)));
      expect(windows).toEqual(windows.toSorted((a, b) => a - b));
    });
  });

  it('what fits takes no more than there is; what is cut is cut in order, with advice', () => {
    for (const on of Object.values(ROWS).flat()) {
      forEachWish((facts, contextTokens, sequences) => {
        expect(
          faultsOf(plan(way, facts, on, contextTokens, sequences), contextTokens, sequences),
        ).toEqual([]);
      });
    }
  });

  it('an estimate grows with the window and with the conversations', () => {
    const big = machine(2_048, [card(0, 1_024 * 1_024)]);
    for (const facts of MODELS) {
      const total = (contextTokens: number, sequences: number): number =>
        plan(way, facts, big, contextTokens, sequences).estimate.totalBytes;
      const byWindow = CONTEXTS.map((contextTokens) => total(contextTokens, 2));
      const bySequences = SEQUENCES.map((sequences) => total(20_000, sequences));
      expect(byWindow).toEqual(byWindow.toSorted((a, b) => a - b));
      expect(bySequences).toEqual(bySequences.toSorted((a, b) => a - b));
    }
  });
});
