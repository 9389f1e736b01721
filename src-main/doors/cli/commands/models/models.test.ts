import { expect, test } from 'vitest';
import type { ServerStatus } from '../../../../contract/index.ts';
import { progressLine } from './library.ts';
import { readOverrides } from './overrides.ts';
import { renderReady } from './servers.ts';

test('overrides: none, members as YAML values, and flags of the engine', () => {
  expect(readOverrides({})).toBeUndefined();
  expect(
    readOverrides({
      set: ['contextTokens=65536', 'device=cpu', 'chatTemplate=null', 'sampling.temperature=0.2'],
      engineFlag: ['--enforce-eager', '--swap-space=4'],
    }),
  ).toEqual({
    contextTokens: 65_536,
    device: 'cpu',
    chatTemplate: null,
    'sampling.temperature': 0.2,
    'flags.--enforce-eager': true,
    'flags.--swap-space': 4,
  });
});

test('overrides that say nothing are refused', () => {
  for (const set of ['contextTokens', '=4', '']) {
    expect(() => readOverrides({ set: [set] })).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});

test('progress of files: a bar where there is a size, the name of the file only, made safe', () => {
  const file = '/media/stick/model-\u001b[2J.safetensors';
  expect(progressLine({ phase: 'checking', file, doneBytes: 0, totalBytes: 0 })).toBe(
    'checking model-\\x1b[2J.safetensors',
  );
  const half = { phase: 'copying' as const, file, doneBytes: 4 * 2 ** 30, totalBytes: 2 ** 33 };
  expect(progressLine(half)).toBe(
    'copying  ████████████░░░░░░░░░░░░  50 %  4.0 GiB of 8.0 GiB  model-\\x1b[2J.safetensors',
  );
  // A file that grew while it was read.
  const over = { phase: 'hashing' as const, file: 'a.gguf', doneBytes: 3, totalBytes: 2 };
  expect(progressLine(over)).toBe('hashing  ████████████████████████ 100 %  3 B of 2 B  a.gguf');
});

const STOPPED: ServerStatus = {
  ...{ name: 'frog', state: 'stopped', since: 0, progress: null, engine: 'vllm' },
  ...{ version: null, owner: null, ownerKind: null, pid: null, address: null },
  ...{ servedName: null, contextTokens: null, sequences: null, plan: null, memory: null },
  ...{ timings: null, restarts: 0, failure: null, logFile: null, users: 0 },
};
const READY: ServerStatus = {
  ...STOPPED,
  ...{ state: 'ready', version: '0.33.0', owner: '7.1.x', ownerKind: 'keeper' },
  ...{ address: 'http://127.0.0.1:4000', contextTokens: 131_072, sequences: 4 },
  timings: { readyMs: 61_200, ownMs: 12 },
};

test('a server that was started', () => {
  expect(renderReady(READY, STOPPED)).toBe(`ready    frog after 1 min 01 s
engine   vllm 0.33.0
address  http://127.0.0.1:4000
context  131,072 tokens x 4 sequences
`);
  const bare = { ...READY, version: null, timings: null, contextTokens: null, sequences: null };
  expect(renderReady(bare, STOPPED)).toBe(`ready    frog
engine   vllm
address  http://127.0.0.1:4000
context  ? tokens
`);
});

test('a server that ran already, was kept from now on, or was started anew', () => {
  const first = (before: ServerStatus) => renderReady(READY, before).split('\n')[0];
  expect(first(READY)).toBe('ready    frog: it runs already');
  expect(first({ ...READY, state: 'busy', ownerKind: 'app' })).toBe(
    'ready    frog: it runs already, and is kept in the background from now on',
  );
  expect(first({ ...READY, owner: '6.1.x' })).toBe('ready    frog after 1 min 01 s');
  expect(first({ ...READY, state: 'lost' })).toBe('ready    frog after 1 min 01 s');
});
