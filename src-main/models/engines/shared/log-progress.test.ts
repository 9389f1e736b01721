import { expect, test } from 'vitest';
import { createSglangEngine } from '../sglang/index.ts';
import { createVllmEngine } from '../vllm/index.ts';

const vllm = createVllmEngine();
const sglang = createSglangEngine();
const CORE = '(EngineCore_DP0 pid=18799) INFO 10-08 20:33:48 ';

test.each([
  [
    '(APIServer pid=1) INFO 10-08 [model.py:547] Resolved architecture: Qwen3ForCausalLM',
    'reading the model (Qwen3ForCausalLM)',
  ],
  [
    '(APIServer pid=1) INFO 10-08 [api_server.py:1] vLLM API server version 0.33.0',
    'starting vLLM 0.33.0',
  ],
  [
    'Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:01<00:01,  1.9it/s]',
    'loading weights (2 of 4 files)',
  ],
  [`${CORE}[gpu_model_runner.py:1] Starting to load model /models/frog...`, 'loading weights'],
  [
    `${CORE}[gpu_model_runner.py:1] Model loading took 8.2 GiB and 12.4 seconds`,
    'weights loaded (8.2 GiB in 12.4 s)',
  ],
  [`${CORE}[default_loader.py:1] Loading weights took 1.12 seconds`, 'weights loaded'],
  [`${CORE}[backends.py:1] Dynamo bytecode transform time: 5.51 s`, 'compiling the model'],
  [
    `${CORE}[backends.py:1] Compiling a graph for dynamic shape takes 21.5 s`,
    'compiling the model',
  ],
  [
    `${CORE}[gpu_worker.py:1] Available KV cache memory: 9.28 GiB`,
    'reserving memory for conversations (9.28 GiB)',
  ],
  [`${CORE}[kv_cache_utils.py:1] GPU KV cache size: 10,720 tokens`, 'room for 10,720 tokens'],
  [
    'Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):  43%|####3     | 3/7',
    'capturing GPU graphs (43 %)',
  ],
  [
    `${CORE}[core.py:1] init engine (profile, create kv cache, warmup model) took 41.20 seconds`,
    'engine ready after 41.20 s',
  ],
  [
    '(APIServer pid=1) INFO 10-08 [api_server.py:1] Starting vLLM server on http://127.0.0.1:8000',
    'opening the server',
  ],
  ['(APIServer pid=1) INFO:     Application startup complete.', 'answering'],
  ['(APIServer pid=1) INFO 10-08 [loggers.py:1] Engine 000: Running: 1 reqs', undefined],
  [`${'x'.repeat(100_000)} Starting vLLM server on`, undefined],
])('S04 vLLM: %s', (line, progress) => {
  expect(vllm.readLine(line)).toEqual(progress === undefined ? {} : { progress });
});

test.each([
  ['[2026-08-28 01:41:16 TP0] Load weight begin. avail mem=23.20 GB', 'loading weights'],
  [
    'Loading safetensors checkpoint shards: 100% Completed | 2/2 [00:01<00:00,  1.9it/s]',
    'loading weights (2 of 2 files)',
  ],
  [
    '[2026-08-28 01:41:17 TP0] Load weight end. quant=fp8, avail mem=12.25 GB, mem usage=10.65 GB.',
    'weights loaded (10.65 GB)',
  ],
  [
    '[2026-08-28 01:41:18 TP0] KV Cache is allocated. #tokens: 546661, K size: 3.1 GB',
    'room for 546,661 tokens',
  ],
  [
    '[2026-08-28 01:41:18 TP0] Capture cuda graph begin. This can take up to several minutes.',
    'capturing GPU graphs',
  ],
  ['[2026-08-28 01:41:22] The server is fired up and ready to roll!', 'answering'],
  ['[2026-08-28 01:41:30 TP0] Prefill batch, #new-seq: 1', undefined],
])('S04 SGLang: %s', (line, progress) => {
  expect(sglang.readLine(line)).toEqual(progress === undefined ? {} : { progress });
});
