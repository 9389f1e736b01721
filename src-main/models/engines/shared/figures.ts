import type { ServerFigures } from '../../servers/types.ts';
import { readMetrics } from './prometheus.ts';

/** Figures of vLLM's metrics page, by the names of its versions (V0 said `gpu_`). */
export function vllmFigures(text: string): ServerFigures {
  const { sum, max } = readMetrics(text);
  return {
    running: sum('vllm:num_requests_running'),
    waiting: sum('vllm:num_requests_waiting'),
    kvUsed: max('vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'),
    promptTokens: sum('vllm:prompt_tokens_total', 'vllm:prompt_tokens'),
    generatedTokens: sum('vllm:generation_tokens_total', 'vllm:generation_tokens'),
    cacheQueriedTokens: sum(
      'vllm:prefix_cache_queries_total',
      'vllm:prefix_cache_queries',
      'vllm:gpu_prefix_cache_queries_total',
      'vllm:gpu_prefix_cache_queries',
    ),
    cacheHitTokens: sum(
      'vllm:prefix_cache_hits_total',
      'vllm:prefix_cache_hits',
      'vllm:gpu_prefix_cache_hits_total',
      'vllm:gpu_prefix_cache_hits',
    ),
    firstTokenSecondsSum: sum('vllm:time_to_first_token_seconds_sum'),
    firstTokenCount: sum('vllm:time_to_first_token_seconds_count'),
  };
}

/**
 * Figures of SGLang's metrics page. Its cached tokens are split by where they lay (device, host) and
 * belong together; prompt tokens count them too.
 */
export function sglangFigures(text: string): ServerFigures {
  const { sum, max } = readMetrics(text);
  const promptTokens = sum('sglang:prompt_tokens_total');
  const cacheHitTokens = sum('sglang:cached_tokens_total');
  return {
    running: sum('sglang:num_running_reqs', 'sglang:num_running_req'),
    waiting: sum('sglang:num_queue_reqs', 'sglang:num_queue_req'),
    kvUsed: max('sglang:token_usage'),
    promptTokens,
    generatedTokens: sum('sglang:generation_tokens_total'),
    cacheQueriedTokens: cacheHitTokens === null ? null : promptTokens,
    cacheHitTokens,
    firstTokenSecondsSum: sum('sglang:time_to_first_token_seconds_sum'),
    firstTokenCount: sum('sglang:time_to_first_token_seconds_count'),
  };
}

/**
 * Figures of llama-server's metrics page. Its prompt tokens are those it computed; what came from
 * the cache is counted beside them, and only by newer versions.
 */
export function llamaServerFigures(text: string): ServerFigures {
  const { sum, max } = readMetrics(text);
  const computed = sum('llamacpp:prompt_tokens_total');
  const cacheHitTokens = sum('llamacpp:prompt_tokens_cached_total');
  const all = computed === null || cacheHitTokens === null ? null : computed + cacheHitTokens;
  return {
    running: sum('llamacpp:requests_processing'),
    waiting: sum('llamacpp:requests_deferred'),
    kvUsed: max('llamacpp:kv_cache_usage_ratio'),
    promptTokens: all ?? computed,
    generatedTokens: sum('llamacpp:tokens_predicted_total'),
    cacheQueriedTokens: all,
    cacheHitTokens,
    firstTokenSecondsSum: null,
    firstTokenCount: null,
  };
}
