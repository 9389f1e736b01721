import { VivariumError } from '../lib/index.ts';
import type { StartChild } from './child.ts';
import type { ModelHandle, TrainerUse } from './types.ts';
import { shownSpec, type ModelSpec } from './spec.ts';

export interface OpenModelOptions {
  /** `VIVARIUM_HOME`: where engines keep state. */
  home: string;
  /** Environment that may be read; only `VIVARIUM_API_KEY` is, for endpoints. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  /** What the engine does or its server says, a line at a time. */
  onLog?: (line: string) => void;
  /** Window wanted at most, for an engine of ours; a server of someone else's has its own. */
  contextTokens?: number;
  /** How to start an engine of ours; default: as Node does it. */
  startChild?: StartChild;
  /** Conversations at a time, for parallel attempts. */
  parallel?: number;
  /** A server whose replies train a model; without it endpoints are asked for streams. */
  trainer?: TrainerUse;
  /** Uses or starts the server of a library model; without it such models are refused. */
  useServer?: (name: string) => Promise<ModelHandle>;
}

/**
 * Starts or reaches the model and returns once it can answer. The caller closes the handle.
 * @throws VivariumError `script_invalid`, `model_file_invalid`, `model_spec_invalid` (unknown name),
 * `endpoint_*`, `engine_failed`; the signal's reason when aborted.
 */
export async function openModel(spec: ModelSpec, options: OpenModelOptions): Promise<ModelHandle> {
  // Each engine is loaded only when used: starting the CLI must stay fast.
  switch (spec.kind) {
    case 'library': {
      if (options.useServer !== undefined) return options.useServer(spec.name);
      throw new VivariumError(
        'model_spec_invalid',
        `"${spec.name}" is a model of the library, and there is none here`,
        'Name a file (gguf:FILE) or a server.',
      );
    }
    case 'script': {
      const { openScripted } = await import('./engines/scripted/index.ts');
      return openScripted(spec.file, { ...options, spec: shownSpec(spec) });
    }
    case 'gguf': {
      const { openLlamaCpp } = await import('./engines/llamacpp/index.ts');
      return openLlamaCpp(spec.file, options);
    }
    case 'endpoint': {
      const { openEndpoint } = await import('./engines/endpoint/index.ts');
      return openEndpoint(spec, options);
    }
  }
}
