import path from 'node:path';
import { placesIn, whyNoVllm } from '../../scripts/vllm/places.mjs';

/** The real vLLM of the tests: a CPU build in an environment of its own. */
export interface TestVllm {
  /** The virtual environment's folder. */
  venv: string;
  /** The `vllm` program in it. */
  program: string;
  /** The `python` program in it. */
  python: string;
  /** Qwen3's architecture, JSON calls (`hermes`), template in tokenizer_config.json, two shards. */
  qwen3: string;
  /** Qwen3.5's hybrid architecture, XML calls (`qwen3_coder`), template in a file, three shards. */
  qwen35: string;
}

/**
 * Where it lies; throws where it is not whole, with what to do about it. Call it in `beforeAll`:
 * tests that are left out are listed on machines without a vLLM.
 */
export function testVllm(): TestVllm {
  const missing = whyNoVllm();
  if (missing !== undefined) {
    throw new Error(`no vLLM to test against (${missing}): run scripts/vllm-cpu.sh`);
  }
  const { venv, program, python, models } = placesIn();
  return {
    ...{ venv, program, python },
    qwen3: path.join(models, 'tiny-qwen3'),
    qwen35: path.join(models, 'tiny-qwen35'),
  };
}
