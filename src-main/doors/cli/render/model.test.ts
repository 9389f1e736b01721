import { expect, test } from 'vitest';
import type { LibraryModel, ServerPlan } from '../../../contract/index.ts';
import {
  alignRows,
  formatParameters,
  renderModel,
  renderModels,
  renderPlan,
  renderVerified,
} from './model.ts';

const MODEL: LibraryModel = {
  name: 'frognano-4b',
  addedAt: 0,
  folder: '/media/stick/Frog Nano',
  copied: false,
  entry: '/media/stick/Frog Nano',
  files: [
    { path: 'config.json', bytes: 2 ** 20, sha256: 'a' },
    { path: 'model.safetensors', bytes: 8 * 2 ** 30, sha256: 'b' },
  ],
  sha256: 'c0ffee',
  sums: { file: 'SHA256SUMS', checked: 2 },
  facts: {
    format: 'safetensors',
    architecture: 'Qwen3_5ForConditionalGeneration',
    parameters: 4_540_000_000,
    quantization: 'bfloat16',
    weightBytes: 9_080_000_000,
    trainedContextTokens: 262_144,
    layers: {
      ...{ total: 40, hiddenSize: 2560, fullAttention: 8 },
      sliding: { layers: 8, windowTokens: 4096 },
      recurrent: { layers: 24, bytesPerSequence: 52_428_800 },
      ...{ kvHeads: 4, keySize: 256, valueSize: 256 },
    },
    licences: [
      { source: 'README.md (front matter)', licence: 'mit' },
      { source: 'README.md (text)', licence: 'Apache 2.0' },
    ],
    chatTemplate: {
      source: 'chat_template.jinja',
      sha256: '0',
      tools: true,
      callFormat: 'qwen3_coder',
      thinking: true,
    },
    vocabularySize: 248_320,
    names: [],
  },
  preset: 'frognano-4b',
};

test('parameters', () => {
  const cases: [number | null, string][] = [
    [null, '?'],
    [640, '640'],
    [820_000, '820K'],
    [5_246_976, '5.2M'],
    [135_000_000, '135M'],
    [999_600_000, '1.0B'],
    [4_540_000_000, '4.5B'],
    [14_770_000_000, '14.8B'],
    [235_000_000_000, '235B'],
  ];
  expect(cases.map(([count]) => formatParameters(count))).toEqual(cases.map(([, shown]) => shown));
});

test('a model, with two statements of its licence', () => {
  expect(renderModel(MODEL)).toBe(`name             frognano-4b
preset           frognano-4b
architecture     Qwen3_5ForConditionalGeneration
parameters       4.5B, bfloat16
layers           40: 8 with full attention, 8 with a window of 4,096, 24 with a fixed state
trained context  262,144 tokens
chat template    chat_template.jinja, with tools, calls as qwen3_coder, thinks
files            2 files, 8.0 GiB, used where they are
folder           /media/stick/Frog Nano
sha256           c0ffee
checksums        2 files as in SHA256SUMS
licence          mit (README.md (front matter))
                 Apache 2.0 (README.md (text))
`);
});

test('P10: a model whose files lie about everything they can', () => {
  const evil = 'a\u001b[2J\u202eb\nc';
  const { facts } = MODEL;
  const text = renderModel({
    ...MODEL,
    copied: true,
    folder: '/tmp/a\nb',
    sums: null,
    facts: {
      ...facts,
      ...{ architecture: evil, quantization: evil, parameters: null, trainedContextTokens: null },
      licences: [{ source: evil, licence: evil }],
      chatTemplate: { ...facts.chatTemplate, source: evil, tools: false, callFormat: null },
    },
  });
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  const shown = 'a\\x1b[2J\\u{202e}b c';
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      `architecture     ${shown}`,
      `parameters       ?, ${shown}`,
      'trained context  ? tokens',
      `chat template    ${shown}, without tools, thinks`,
      'files            2 files, 8.0 GiB, copied',
      'checksums        none beside the files',
      `licence          ${shown} (${shown})`,
    ]),
  );
  const bare = renderModel({ ...MODEL, facts: { ...facts, licences: [] } });
  expect(bare).toContain('\nlicence          not stated in the files\n');
});

test('the list, wide and narrow', () => {
  const folder = '/models/tadpole';
  const other = { ...MODEL, name: 'tadpole', addedAt: 3_600_000, folder };
  expect(renderModels([MODEL, other], 7_200_000, null)).toBe(
    `NAME         SIZE  WEIGHTS   FILES    CONTEXT  PRESET       ADDED  WHERE
frognano-4b  4.5B  bfloat16  8.0 GiB  262,144  frognano-4b  2 h    /media/stick/Frog Nano
tadpole      4.5B  bfloat16  8.0 GiB  262,144  frognano-4b  1 h    /models/tadpole
`,
  );
  expect(renderModels([MODEL, other], 7_200_000, 72)).toBe(
    `NAME         SIZE  WEIGHTS   FILES    PRESET       WHERE
frognano-4b  4.5B  bfloat16  8.0 GiB  frognano-4b  /media/stick/Frog Na…
tadpole      4.5B  bfloat16  8.0 GiB  frognano-4b  /models/tadpole
`,
  );
});

test('what was verified', () => {
  expect(renderVerified({ name: 'frog', ok: true, files: 2, faults: [] })).toBe(
    'frog: 2 files as recorded.\n',
  );
  const faults = [
    { path: 'model.safetensors', fault: 'sha256 differs' as const },
    { path: 'a\u001bb', fault: 'missing' as const },
  ];
  expect(renderVerified({ name: 'frog', ok: false, files: 3, faults })).toBe(
    'frog: 2 files of 3 not as recorded.\n  model.safetensors: sha256 differs\n  a\\x1bb: missing\n',
  );
});

const PLAN: ServerPlan = {
  engine: 'vllm',
  device: 'gpu',
  contextTokens: 65_536,
  sequences: 2,
  gpuLayers: null,
  tensorParallel: 1,
  gpus: [0],
  estimate: {
    weightsBytes: 8 * 2 ** 30,
    kvBytesPerToken: 32 * 2 ** 10,
    stateBytesPerSequence: 50 * 2 ** 20,
    kvBytes: 4 * 2 ** 30,
    stateBytes: 100 * 2 ** 20,
    overheadBytes: 2 * 2 ** 30,
    totalBytes: 14 * 2 ** 30,
  },
  availableBytes: 22 * 2 ** 30,
  fits: true,
  reason: 'vLLM on GPU 0.',
  advice: [],
};

test('a plan: sizes are called estimates', () => {
  expect(renderPlan(PLAN, 'vllm 0.33.0 in /opt/vllm')).toBe(`engine      vllm 0.33.0 in /opt/vllm
plan        vLLM on GPU 0.
context     65,536 tokens, 2 sequences
memory      about 14.0 GiB of 22.0 GiB free (estimate)
  weights   8.0 GiB
  KV cache  4.0 GiB (32.0 KiB a token)
  state     100 MiB (50.0 MiB a sequence)
  engine    2.0 GiB
`);
});

test('a plan without its engine, and with what would make more fit', () => {
  const estimate = { ...PLAN.estimate, stateBytes: 0, stateBytesPerSequence: 0 };
  const advice = ['use one sequence', 'stop what else uses the GPU'];
  expect(renderPlan({ ...PLAN, estimate, advice }, null)).toBe(`engine      not found
plan        vLLM on GPU 0.
context     65,536 tokens, 2 sequences
memory      about 14.0 GiB of 22.0 GiB free (estimate)
  weights   8.0 GiB
  KV cache  4.0 GiB (32.0 KiB a token)
  engine    2.0 GiB
more would fit with:
  use one sequence
  stop what else uses the GPU
`);
});

test('rows are aligned, and end where their text ends', () => {
  expect(
    alignRows([
      ['a', '1'],
      ['longer', ''],
    ]),
  ).toBe('a       1\nlonger\n');
});
