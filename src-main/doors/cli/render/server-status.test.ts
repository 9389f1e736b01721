import { describe, expect, test } from 'vitest';
import type { ServerSample, ServerStatus } from '../../../contract/index.ts';
import { createLiveBlock } from '../progress/live-block.ts';
import { Screen } from '../progress/screen.ts';
import { renderServer, type ServerView } from './server-status.ts';
import { sparkline } from './sparkline.ts';

const NOW = 1_700_000_000_000;
const GIB = 2 ** 30;

const STATUS: ServerStatus = {
  name: 'nano',
  state: 'busy',
  since: NOW - 125_000,
  progress: null,
  engine: 'vllm',
  version: '0.33.0',
  owner: '1.2.3',
  ownerKind: 'keeper',
  pid: 1,
  address: 'http://127.0.0.1:40123',
  servedName: 'nano-abc',
  contextTokens: 131_072,
  sequences: 4,
  plan: null,
  memory: { estimatedBytes: 9.8 * GIB, measuredBytes: 10.2 * GIB, ratio: 10.2 / 9.8 },
  timings: { readyMs: 34_000, ownMs: 100 },
  restarts: 0,
  failure: null,
  logFile: '/home/ann/.vivarium/servers/nano/server.log',
  users: 2,
};

function look(secondsAgo: number, out: number, change: Partial<ServerSample> = {}): ServerSample {
  return {
    at: NOW - secondsAgo * 1000,
    memoryBytes: 2.5 * GIB,
    gpuBytes: 12 * GIB,
    gpuUtilization: 0.874,
    figures: {
      running: 1,
      waiting: 2,
      kvUsed: 0.337,
      promptTokens: 90_000,
      generatedTokens: 7000,
      cacheQueriedTokens: 90_000,
      cacheHitTokens: 80_000,
      firstTokenSecondsSum: 20,
      firstTokenCount: 40,
    },
    promptPerSecond: 1200,
    generatedPerSecond: out,
    cacheHitShare: null,
    firstTokenMs: null,
    interval: {
      ms: 1000,
      promptTokens: 1200,
      generatedTokens: out,
      cacheQueriedTokens: 1200,
      cacheHitTokens: 1100,
      firstTokenSeconds: 0.2,
      firstTokenCount: 1,
    },
    alert: null,
    ...change,
  };
}

const RECENT = [0, 10, 20, 30, 40, 50, 60, 70].map((out, index) => look(8 - index, out));

function render(status: Partial<ServerStatus>, view: Partial<ServerView> = {}): string {
  const recent = view.recent ?? RECENT;
  const sample = recent.at(-1) ?? null;
  const whole = { ...STATUS, ...status };
  return renderServer({ status: whole, sample, recent, now: NOW, columns: null, ...view });
}

describe('models status', () => {
  test('a server at work', () => {
    expect(render({})).toBe(`nano  busy for 2 min
  engine    vllm 0.33.0
  address   http://127.0.0.1:40123
  context   131,072 tokens x 4 sequences
  owner     kept in the background, used by 2 other processes
  memory    2.5 GiB
  GPU       12.0 GiB, 87 % busy
  estimate  9.8 GiB before the start; 10.2 GiB measured after it (4 % more)
  requests  1 running, 2 waiting
  KV cache  34 % in use, 92 % of prompt tokens found in it in the last minute
  speed     1,200 in, 35 out (tokens/s over the last 10 s)
            ▁▂▃▄▅▆▇█ out, at most 70 tokens/s
  first     token after 200 ms (mean of 8 requests in the last minute)
  log       /home/ann/.vivarium/servers/nano/server.log
`);
  });

  test('one of which little is known shows what is', () => {
    const little = look(1, 0, {
      gpuBytes: null,
      figures: null,
      interval: null,
      generatedPerSecond: null,
    });
    const status = { version: null, memory: null, users: 0, sequences: null, logFile: null };
    expect(render({ ...status, ownerKind: 'app', state: 'ready' }, { recent: [little] })).toBe(
      `nano  ready for 2 min
  engine    vllm
  address   http://127.0.0.1:40123
  context   131,072 tokens
  owner     kept while it is used
  memory    2.5 GiB
`,
    );
    expect(render({ ...status, memory: STATUS.memory }, { recent: [] })).toBe(
      `nano  busy for 2 min
  engine    vllm
  address   http://127.0.0.1:40123
  context   131,072 tokens
  owner     kept in the background
  estimate  9.8 GiB before the start; 10.2 GiB measured after it (4 % more)
`,
    );
  });

  test('figures that are old are not shown as those of now', () => {
    const text = render({}, { recent: [look(25, 50)] });
    expect(text).toContain('\n  figures   none for 25 s\n');
    expect(text).not.toContain('memory');
    expect(text).not.toContain('speed');
  });

  test('one that loads says with what', () => {
    const status = {
      state: 'loading',
      since: NOW - 12_000,
      progress: 'loading weights (2 of 4 shards)\x1b[2J',
      restarts: 1,
      contextTokens: null,
      address: null,
      memory: null,
    } as const;
    expect(render(status, { recent: [] })).toBe(
      `nano  loading for 12 s, 1 restart: loading weights (2 of 4 shards)\\x1b[2J
  engine    vllm 0.33.0
  owner     kept in the background, used by 2 other processes
  log       /home/ann/.vivarium/servers/nano/server.log
`,
    );
  });

  test('one that failed says why and what to do, and no figures', () => {
    const failure = {
      kind: 'gpu_memory',
      line: 'torch.OutOfMemoryError: CUDA out of memory.\nTried to allocate 2 GiB',
      cause: 'the GPU has not enough free memory',
      remedy: 'Lower contextTokens in the profile, or end what else uses the GPU.',
      deterministic: true,
      retryWith: null,
    };
    const over = { address: null, contextTokens: null, ownerKind: null, since: NOW - 200_000 };
    expect(render({ ...over, state: 'failed', failure })).toBe(
      `nano  failed 3 min ago
  cause     the GPU has not enough free memory
  said      torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB
  remedy    Lower contextTokens in the profile, or end what else uses the GPU.
  engine    vllm 0.33.0
  log       /home/ann/.vivarium/servers/nano/server.log
`,
    );
    expect(render({ ...over, state: 'lost', logFile: null })).toBe(
      `nano  lost 3 min ago
  cause     its owner or its process is gone, and nobody had asked for that
  engine    vllm 0.33.0
`,
    );
  });

  test('one that is stopped, or never ran, is one line and its engine', () => {
    const stopped = { state: 'stopped', address: null } as const;
    const none = { ...stopped, contextTokens: null, version: null, logFile: null } as const;
    expect(render({ ...none, since: NOW - 7200_000 })).toBe(
      'nano  stopped 2 h ago\n  engine    vllm\n',
    );
    expect(render({ ...none, since: 0, engine: '' }, { recent: [] })).toBe('nano  stopped\n');
  });

  test('an alert comes before all other figures', () => {
    const alert = 'GPU 0 (RTX) can no longer be read.';
    const recent = [...RECENT, look(0, 0, { alert, gpuBytes: null })];
    expect(render({}, { recent })).toContain(
      '\n  alert     GPU 0 (RTX) can no longer be read.\n  memory    2.5 GiB\n  estimate',
    );
  });

  test('a narrow terminal gets lines between words; what is copied stays whole', () => {
    const lines = render({}, { columns: 40 }).split('\n');
    expect(lines.slice(4, 12)).toEqual([
      '  owner     kept in the background, used',
      '            by 2 other processes',
      '  memory    2.5 GiB',
      '  GPU       12.0 GiB, 87 % busy',
      '  estimate  9.8 GiB before the start;',
      '            10.2 GiB measured after it',
      '            (4 % more)',
      '  requests  1 running, 2 waiting',
    ]);
    expect(lines).toContain('            /home/ann/.vivarium/servers/nano/server.log');
  });

  test('--watch draws in place: a block that shrinks leaves nothing behind', () => {
    const screen = new Screen(60, 24);
    const block = createLiveBlock(screen.console);
    const draw = (text: string): void => block.draw(text.trimEnd().split('\n'));
    draw(render({}, { columns: 60 }));
    draw(render({ memory: null }, { columns: 60, recent: [] }));
    expect(screen.rows()).toEqual([
      'nano  busy for 2 min',
      '  engine    vllm 0.33.0',
      '  address   http://127.0.0.1:40123',
      '  context   131,072 tokens x 4 sequences',
      '  owner     kept in the background, used by 2 other',
      '            processes',
      '  log       /home/ann/.vivarium/servers/nano/server.log',
    ]);
    block.end();
    expect(screen.rows()).toEqual([]);
  });
});

test('a sparkline: from nothing to the highest, gaps stay gaps, the last values count', () => {
  expect(sparkline([0, 1, null, 7, 3.5, 7], 30)).toEqual({ line: '▁▂ █▅█', highest: 7 });
  expect(sparkline([99, 0, 1, 2, 3, 4], 5)).toEqual({ line: '▁▃▅▆█', highest: 4 });
  expect(sparkline([0, 0, 0, 0, 0], 30)).toBeNull();
  expect(sparkline([1, 2, null, null, null, 3], 30)).toBeNull();
});
