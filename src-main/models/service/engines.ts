import type { ServerEngine, ServerEngineId } from '../servers/types.ts';

/** The adapter of an engine; each is loaded only when used, so that the CLI starts fast. */
export async function engineOf(id: ServerEngineId): Promise<ServerEngine> {
  switch (id) {
    case 'llamacpp':
      return (await import('../engines/llamacpp/server-engine.ts')).createLlamaCppEngine();
    case 'llama-server':
      return (await import('../engines/llama-server/index.ts')).createLlamaServerEngine();
    case 'vllm':
      return (await import('../engines/vllm/index.ts')).createVllmEngine();
    case 'sglang':
      return (await import('../engines/sglang/index.ts')).createSglangEngine();
  }
}
