/** Order to load a model and serve it; the key travels here because argv and environment can be read. */
export interface StartMessage {
  kind: 'start';
  /** First part of the weights. */
  file: string;
  /** Bearer key that every request but `/health` must carry. */
  key: string;
  /** Name under which `/v1/models` lists the model. */
  name: string;
  gpu: 'auto' | false;
  /** Window wanted at most; `null` = what the model was trained with. */
  contextTokens: number | null;
  /** `null` = chosen by the size of the model and the cores. */
  threads: number | null;
  /** Conversations kept in memory at a time. */
  parallel: number;
  /** Jinja text that replaces the template of the file. */
  chatTemplate: string | null;
}

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
      message: string;
      next: string;
    };
