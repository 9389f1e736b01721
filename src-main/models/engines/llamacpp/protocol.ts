/** Order to load a model and serve it; the key travels here because argv and environment can be read. */
export interface StartMessage {
  kind: 'start';
  /** First part of the weights. */
  file: string;
  /** Bearer key that every request but `/health` must carry. */
  key: string;
  /** Name under which `/v1/models` lists the model. */
  name: string;
  /** Loopback port; 0 = the system chooses. */
  port: number;
  /** `gpu` fails where none can be used; `auto` takes one only if it is there and worth it. */
  device: 'auto' | 'cpu' | 'gpu';
  /** Layers on the graphics device; `null` = as many as fit (`auto`) or all (`gpu`). */
  gpuLayers: number | null;
  /** Window wanted at most; `null` = what the model was trained with. */
  contextTokens: number | null;
  /** The window may become smaller where memory does not allow it; otherwise the start fails. */
  mayShrink: boolean;
  /** Window that counts as trained, in place of what the file says. */
  trainedContextTokens: number | null;
  /** `null` = chosen by the size of the model and the cores. */
  threads: number | null;
  /** Conversations kept in memory at a time. */
  parallel: number;
  /** Jinja that replaces the template of the file. */
  chatTemplate: { text: string } | { file: string } | null;
  /** New tokens of a request that names no limit; `null` = what the window leaves. */
  tokensPerTurn: number | null;
  /** Keep what a prompt shares with the turn before it. */
  prefixCaching: boolean;
}

/** Kinds of failed starts, as the log and the message name them. */
export type StartFault =
  | 'architecture_unknown'
  | 'tokenizer_unknown'
  | 'tokenizer_missing'
  | 'file_damaged'
  | 'file_not_gguf'
  | 'file_missing'
  | 'template_missing'
  | 'template_invalid'
  | 'out_of_memory'
  | 'engine_binary_missing'
  | 'gpu_missing'
  | 'port_taken'
  | 'load_failed';

/** What the child tells: where it is, that it serves, or why it cannot. */
export type ServerMessage =
  | { kind: 'progress'; text: string }
  | {
      kind: 'ready';
      port: number;
      contextTokens: number;
      details: Record<string, string | number>;
    }
  | {
      kind: 'failed';
      code: 'model_file_invalid' | 'engine_failed';
      fault: StartFault;
      message: string;
      next: string;
    };

/**
 * The same for whoever reads only the output: each message is also one line. Native lines never
 * begin so.
 */
export const LINES = {
  progress: (text: string): string => `vivarium: ${text}`,
  listening: (port: number): string => `vivarium: listening on http://127.0.0.1:${port}`,
  failed: (fault: StartFault, message: string): string => `vivarium: failed (${fault}): ${message}`,
  next: (text: string): string => `vivarium: next: ${text}`,
} as const;
