import { expect, test } from 'vitest';
import { llamaServerFigures, sglangFigures, vllmFigures } from './figures.ts';
import { parseMetrics, readMetrics } from './prometheus.ts';

test('samples with labels, escapes, exponents, timestamps and odd numbers', () => {
  const page = [
    '# HELP a Some help, with {braces} and "quotes"',
    '# TYPE a counter',
    'a 1',
    'a{} 2',
    'b_total{x="1",y="a,b}c",} 1.5e+03 1700000000000',
    String.raw`c{path="C:\\dir\n\"q\""} -.5`,
    'd{le="+Inf"} +Inf',
    'e NaN',
    'f -inf',
    '  g:h:i   7  ',
    '',
    '<html>',
    'broken{x="1 3',
    'broken{x=1} 3',
    'word word',
    '9a 1',
  ].join('\n');
  expect(parseMetrics(page)).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'a', labels: {}, value: 2 },
    { name: 'b_total', labels: { x: '1', y: 'a,b}c' }, value: 1500 },
    { name: 'c', labels: { path: 'C:\\dir\n"q"' }, value: -0.5 },
    { name: 'd', labels: { le: '+Inf' }, value: Infinity },
    { name: 'e', labels: {}, value: Number.NaN },
    { name: 'f', labels: {}, value: -Infinity },
    { name: 'g:h:i', labels: {}, value: 7 },
  ]);
});

test('sums over label sets, the largest share, the first of several names, no NaN', () => {
  const metrics = readMetrics('a{e="0"} 1\na{e="1"} 2\na{e="2"} NaN\nb 9\nz NaN');
  expect(metrics.sum('a')).toBe(3);
  expect(metrics.max('a')).toBe(2);
  expect(metrics.sum('missing', 'b', 'a')).toBe(9);
  expect(metrics.sum('z', 'b')).toBe(9);
  expect([metrics.sum('z'), metrics.max('missing')]).toEqual([null, null]);
});

test('a page of 10 MB that is none costs little', () => {
  const started = performance.now();
  expect(parseMetrics('a{b="'.repeat(2_000_000))).toEqual([]);
  expect(parseMetrics('x{y="z",'.repeat(20_000))).toEqual([]);
  expect(performance.now() - started).toBeLessThan(1_000);
});

const VLLM = `
vllm:num_requests_running{engine="0",model_name="frog-n0nce"} 2.0
vllm:num_requests_waiting{engine="0",model_name="frog-n0nce"} 1.0
vllm:kv_cache_usage_perc{engine="0",model_name="frog-n0nce"} 0.25
vllm:prefix_cache_queries_total{engine="0",model_name="frog-n0nce"} 1000.0
vllm:prefix_cache_hits_total{engine="0",model_name="frog-n0nce"} 800.0
vllm:prompt_tokens_total{engine="0",model_name="frog-n0nce"} 1100.0
vllm:generation_tokens_total{engine="0",model_name="frog-n0nce"} 90.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.1",model_name="frog-n0nce"} 3.0
vllm:time_to_first_token_seconds_count{engine="0",model_name="frog-n0nce"} 4.0
vllm:time_to_first_token_seconds_sum{engine="0",model_name="frog-n0nce"} 1.5
`;

test('figures of vLLM, of several engines behind one server, and in the names of V0', () => {
  const one = {
    running: 2,
    waiting: 1,
    kvUsed: 0.25,
    promptTokens: 1100,
    generatedTokens: 90,
    cacheQueriedTokens: 1000,
    cacheHitTokens: 800,
    firstTokenSecondsSum: 1.5,
    firstTokenCount: 4,
  };
  expect(vllmFigures(VLLM)).toEqual(one);
  const second = VLLM.replaceAll('engine="0"', 'engine="1"').replace('0.25', '0.75');
  expect(vllmFigures(VLLM + second)).toEqual({
    ...Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value * 2])),
    kvUsed: 0.75,
  });
  const old = VLLM.replaceAll('kv_cache_usage', 'gpu_cache_usage').replaceAll(
    ':prefix_cache',
    ':gpu_prefix_cache',
  );
  expect(vllmFigures(old)).toEqual(one);
  expect(Object.values(vllmFigures('')).every((value) => value === null)).toBe(true);
});

test('figures of SGLang: cached tokens of device and host belong together', () => {
  const page = `
sglang:num_running_reqs{model_name="frog"} 3.0
sglang:num_queue_reqs{model_name="frog"} 0.0
sglang:token_usage{model_name="frog"} 0.28
sglang:mamba_usage{model_name="frog"} 0.9
sglang:prompt_tokens_total{model_name="frog"} 8128.0
sglang:generation_tokens_total{model_name="frog"} 7557.0
sglang:cached_tokens_total{cache_source="device",model_name="frog"} 4000.0
sglang:cached_tokens_total{cache_source="host",model_name="frog"} 96.0
sglang:time_to_first_token_seconds_sum{model_name="frog"} 2.3
sglang:time_to_first_token_seconds_count{model_name="frog"} 11.0`;
  expect(sglangFigures(page)).toEqual({
    running: 3,
    waiting: 0,
    kvUsed: 0.28,
    promptTokens: 8128,
    generatedTokens: 7557,
    cacheQueriedTokens: 8128,
    cacheHitTokens: 4096,
    firstTokenSecondsSum: 2.3,
    firstTokenCount: 11,
  });
  expect(sglangFigures('sglang:prompt_tokens_total 5').cacheQueriedTokens).toBe(null);
});

test('figures of llama-server: prompt tokens there are those computed; older ones count no cache', () => {
  const page = `
llamacpp:prompt_tokens_total 300
llamacpp:prompt_tokens_cached_total 700
llamacpp:tokens_predicted_total 50
llamacpp:requests_processing 1
llamacpp:requests_deferred 2`;
  const now = {
    running: 1,
    waiting: 2,
    kvUsed: null,
    promptTokens: 1000,
    generatedTokens: 50,
    cacheQueriedTokens: 1000,
    cacheHitTokens: 700,
    firstTokenSecondsSum: null,
    firstTokenCount: null,
  };
  expect(llamaServerFigures(page)).toEqual(now);
  const old = page.replace(/.*cached.*\n/, '').concat('\nllamacpp:kv_cache_usage_ratio 0.5');
  expect(llamaServerFigures(old)).toEqual({
    ...now,
    kvUsed: 0.5,
    promptTokens: 300,
    cacheQueriedTokens: null,
    cacheHitTokens: null,
  });
});
