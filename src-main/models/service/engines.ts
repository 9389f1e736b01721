import path from 'node:path';
import type { ServerEngine, ServerEngineId } from '../servers/types.ts';

/**
 * The adapter of an engine; each is loaded only when used, so that the CLI starts fast. What its
 * program said about itself is kept in `HOME/cache/engines`, by the program's own state.
 */
export async function engineOf(id: ServerEngineId, home: string): Promise<ServerEngine> {
  const options = { probeFolder: path.join(home, 'cache', 'engines') };
  switch (id) {
    case 'llamacpp':
      return (await import('../engines/llamacpp/server-engine.ts')).createLlamaCppEngine();
    case 'llama-server':
      return (await import('../engines/llama-server/index.ts')).createLlamaServerEngine(options);
    case 'vllm':
      return (await import('../engines/vllm/index.ts')).createVllmEngine(options);
    case 'sglang':
      return (await import('../engines/sglang/index.ts')).createSglangEngine(options);
  }
}
