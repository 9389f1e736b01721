import { createLlamaCppEngine } from '../../engines/llamacpp/server-engine.ts';
import { createVllmEngine } from '../../engines/vllm/index.ts';
import type { StartServer } from '../../servers/types.ts';
import { launchInput } from '../../testing/launch.ts';

/** Where the real vLLM of the tests is, and a tiny model for it. */
export interface VllmPlaces {
  venv: string;
  model: string;
}

/** A start of tadpole by our llama.cpp server. */
export function llamaCppRequest(): StartServer {
  const { profile, model, plan, machine } = launchInput();
  return { profile, model, plan, machine, engine: createLlamaCppEngine(), ownerKind: 'app' };
}

/** A start of a tiny model by the real vLLM, on the processor. */
export function vllmRequest({ venv, model: folder }: VllmPlaces): StartServer {
  const { profile, model, plan, machine } = launchInput({
    profile: {
      name: 'tiny',
      engine: 'vllm',
      source: { kind: 'venv', folder: venv },
      contextTokens: 2_048,
      flags: { '--enforce-eager': true },
    },
    model: { name: 'tiny', folder, entry: folder },
    plan: { engine: 'vllm', sequences: 2 },
  });
  const facts = {
    ...model.facts,
    format: 'safetensors' as const,
    architecture: 'Qwen3ForCausalLM',
  };
  const engine = createVllmEngine();
  return { profile, model: { ...model, facts }, plan, machine, engine, ownerKind: 'app' };
}
