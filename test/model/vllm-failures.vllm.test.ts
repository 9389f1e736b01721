import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Failure, ProfileOverrides, Supervisor } from '../../src-main/models/index.ts';
import { createSupervisor } from '../../src-main/models/supervisor/index.ts';
import { findCarriers } from '../../src-main/models/supervisor/process-finder.ts';
import { addDamaged, forcedStart, type Forced } from '../support/vllm-forced.ts';
import { openVllmHome, type VllmHome } from '../support/vllm-home.ts';

const NAME = 'tiny-qwen3';

let place: VllmHome;
let supervisor: Supervisor;

beforeAll(async () => {
  place = await openVllmHome(NAME);
  supervisor = createSupervisor({ home: place.home, env: place.config.env });
});
afterAll(async () => {
  await supervisor?.close();
  await place?.close();
});

/** Starts it and expects that it fails at its first try, for good, and leaves nothing. */
async function failureOf(start: Forced): Promise<Failure> {
  const { name } = start.profile;
  const error: unknown = await supervisor.start(start).then(
    async (server) => {
      await server.stop();
      return null;
    },
    (thrown: unknown) => thrown,
  );
  const status = await supervisor.status(name);
  process.stdout.write(
    `${name} ${JSON.stringify(start.profile.flags)}: ${JSON.stringify(status.failure)}\n`,
  );
  expect(error).toMatchObject({ code: 'engine_failed', next: status.failure?.remedy });
  expect(status).toMatchObject({ state: 'failed', restarts: 0, pid: null });
  expect(start.launches).toHaveLength(1);
  const [first] = start.launches;
  expect(findCarriers(first?.servedName.slice(name.length + 1) ?? '')).toEqual([]);
  if (status.failure === null) throw new Error('no failure is recorded');
  expect(status.failure.deterministic).toBe(true);
  return status.failure;
}

describe('what would fail is told before the start', () => {
  const rows: [title: string, overrides: ProfileOverrides, message: string][] = [
    ['a flag that this version has not', { 'flags.--enforce-eagr': true }, '--enforce-eagr'],
    ['a parser that this version has not', { callParser: 'qwen9' }, 'qwen9'],
  ];
  it.each(rows)('S03 %s', async (_title, overrides, message) => {
    const use = place.service.use(NAME, { overrides });
    await expect(use).rejects.toMatchObject({
      code: 'profile_invalid',
      message: expect.stringContaining(message) as string,
    });
    const start = place.service.startInBackground(NAME, { overrides });
    await expect(start).rejects.toMatchObject({ code: 'profile_invalid' });
    expect((await place.service.plan(NAME, { overrides })).faults).toHaveLength(1);
    expect(await place.service.status(NAME)).toMatchObject({ state: 'stopped', pid: null });
  });

  it('S03 no engine where the profile says that it is', async () => {
    const overrides = { source: { venv: path.join(place.home, 'none') } };
    await expect(place.service.use(NAME, { overrides })).rejects.toMatchObject({
      code: 'engine_missing',
      message: expect.stringContaining(path.join(place.home, 'none')) as string,
    });
  });
});

interface Refusal {
  /** Of the model, and so of its server: each has its own. */
  name: string;
  overrides?: ProfileOverrides;
  damage?: (folder: string) => void;
  expected: { kind: string; line?: string; retryWith?: null };
}

const containing = (text: string): string => expect.stringContaining(text) as string;

const REFUSALS: Record<string, Refusal> = {
  'an unknown flag': {
    name: 'flag',
    overrides: { 'flags.--enforce-eagr': true },
    expected: { kind: 'unknown-flag', line: containing('--enforce-eagr') },
  },
  'an unknown call parser': {
    name: 'parser',
    overrides: { callParser: 'qwen9' },
    expected: { kind: 'bad-value', line: containing('qwen9') },
  },
  // Its help does not list these: nobody can know before.
  'an unknown parser of thoughts': {
    name: 'thoughts',
    overrides: { reasoningParser: 'qwen9' },
    expected: { kind: 'bad-value', line: containing("'qwen9' not found") },
  },
  'an architecture that it does not know': {
    name: 'architecture',
    damage: (folder) => {
      const file = path.join(folder, 'config.json');
      const config = readFileSync(file, 'utf8').replace('Qwen3ForCausalLM', 'Qwen9ForCausalLM');
      writeFileSync(file, config);
    },
    expected: { kind: 'architecture-unsupported', line: containing('Qwen9ForCausalLM') },
  },
  'a missing tokenizer': {
    name: 'tokenizer',
    damage: (folder) => {
      for (const name of ['tokenizer.json', 'tokenizer_config.json'])
        rmSync(path.join(folder, name));
    },
    expected: { kind: 'tokenizer-missing' },
  },
  'a shard that was cut off': {
    name: 'shard',
    damage: (folder) => {
      const file = path.join(folder, 'model-00002-of-00002.safetensors');
      truncateSync(file, statSync(file).size - 1_000);
    },
    expected: { kind: 'model-damaged', line: containing('incomplete metadata') },
  },
  'a cache too small for the context': {
    name: 'cache',
    overrides: { contextTokens: 4_096, 'flags.--kv-cache-memory-bytes': 1_000_000 },
    expected: { kind: 'context-too-long', retryWith: null },
  },
  'no room for a cache at all': {
    name: 'room',
    overrides: { 'flags.--kv-cache-memory-bytes': 1_000 },
    expected: { kind: 'no-room-for-cache' },
  },
  'more cache than the machine has': {
    name: 'space',
    overrides: { 'environment.VLLM_CPU_KVCACHE_SPACE': 100_000 },
    expected: { kind: 'cache-space-too-large', line: containing('100000.0 GiB') },
  },
};

/** Two at a time: each is mostly one process that loads Python. */
const PAIRS = Object.keys(REFUSALS).flatMap((title, index, titles) =>
  index % 2 === 0 ? [titles.slice(index, index + 2)] : [],
);

describe('what vLLM itself refuses is told with cause and remedy, and not tried again', () => {
  it.each(PAIRS.map((titles) => [titles.join('; '), titles] as const))(
    'S03 %s',
    async (_shown, titles) => {
      const failures = titles.map(async (title) => {
        // The titles are the table's own keys.
        const { name, overrides, damage } = REFUSALS[title] as Refusal;
        await addDamaged(place, name, damage ?? (() => undefined));
        return failureOf(await forcedStart(place, name, overrides));
      });
      const found = await Promise.all(failures);
      expect(found).toMatchObject(titles.map((title) => REFUSALS[title]?.expected));
    },
  );
});
