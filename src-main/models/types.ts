import type { ServerEngineId } from '../contract/index.ts';

/** One call as the model wrote it: `arguments` is the raw text, maybe not JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A message of the history, in the shape of OpenAI-compatible chat completions. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; reasoning?: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; name: string; content: string };

/** A tool as advertised to the model; `parameters` is a JSON schema. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Sampling of one turn. Unset members are left to the server. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  presencePenalty?: number;
  repetitionPenalty?: number;
  seed?: number;
  /** Passed as `chat_template_kwargs`, e.g. `{ enable_thinking: true }`. */
  templateArguments?: Record<string, unknown>;
}

/** Tokens of one turn as the server names them; each `null` where it does not. */
export interface TurnTokens {
  /** Ids of the whole prompt. */
  prompt: number[] | null;
  /** Ids of the reply, what was parsed out of it included; servers differ in whether the one that ended it is among them. */
  completion: number[] | null;
  /** Natural logarithms of the probabilities, one for each token of the reply. */
  logprobs: number[] | null;
}

export interface CompletionRequest {
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  sampling: Sampling;
  /** Limit of new tokens of this turn; the client clamps it to what the real window leaves. */
  maxTokens: number;
  /**
   * Asks for {@link TurnTokens}. The reply is asked for whole then: servers leave them out of streams,
   * or refuse them there.
   */
  wantsTokens?: boolean;
  signal?: AbortSignal;
  /** Called for each piece as it streams in. Pieces of a retried try are followed by a `restart`. */
  onDelta?: (delta: CompletionDelta) => void;
  /** Called after each pause for a server that asked to wait, with its milliseconds. */
  onWaited?: (ms: number) => void;
}

export type CompletionDelta =
  | { kind: 'content' | 'reasoning'; text: string }
  | { kind: 'call'; index: number; name?: string; text: string }
  | { kind: 'restart'; reason: string };

export interface Usage {
  /** Tokens as the server counted them; `null` where it did not say. Never estimated here. */
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
}

export interface Completion {
  content: string;
  reasoning: string;
  toolCalls: ToolCall[];
  /** `cut` = the server stopped at the token limit (`length`). */
  finish: 'stop' | 'calls' | 'cut';
  usage: Usage;
  timings: {
    /** Until the first piece of a stream arrived, and in all, of the try that succeeded. */
    firstTokenMs: number | null;
    totalMs: number;
  };
  /** Where they were asked for and the server gave any. */
  tokens?: TurnTokens;
  /** Tries that failed before this one, each with its one-line cause. */
  retries: string[];
}

/** The only way the rest of the app talks to a model, whatever the engine. */
export interface ChatModel {
  /**
   * @throws VivariumError `endpoint_*` when the server fails for good (retries included);
   * {@link ContextOverflowError} when the prompt alone does not fit the window;
   * the signal's reason when aborted.
   */
  complete(request: CompletionRequest): Promise<Completion>;
}

/** The prompt does not fit the server's window, as the server said or as its counts show. */
export class ContextOverflowError extends Error {
  override readonly name = 'ContextOverflowError';
}

/** What is known of a model once its server answers; goes into provenance. */
export interface ModelInfo {
  engine: 'scripted' | 'endpoint' | ServerEngineId;
  /** Name as the server lists it. */
  name: string;
  /** The MODEL argument with any key or password removed. */
  spec: string;
  /** The server's real window; `null` where it cannot be learnt. */
  contextTokens: number | null;
  /** sha256 of the weights or script file; `null` for an endpoint. */
  sha256: string | null;
  /** Human facts worth keeping: quantisation, parameters, threads, engine version, ... */
  details: Record<string, string | number>;
}

/** A running model: owns its server (if ours) until closed. */
export interface ModelHandle {
  readonly chat: ChatModel;
  readonly info: ModelInfo;
  /** Process id of our server child; `null` where there is none. */
  readonly pid: number | null;
  /** Memory of all its processes in bytes, for servers of more than one; else `pid` is looked at. */
  memoryBytes?(): Promise<number | null>;
  /**
   * Why it answers no request any more and will not by itself; `null` = it may. Waits while its server
   * is started again. @throws the signal's reason when aborted
   */
  gone(signal: AbortSignal): Promise<Error | null>;
  /** Ends the server; safe to call twice; leaves no process or port. */
  close(): Promise<void>;
}

/**
 * A trainer's proxy stands before its model: it gives whole replies only, names the model itself and
 * sets what it samples with.
 */
export interface TrainerUse {
  /** Name to send where the server lists none and none was named. */
  modelName: string;
  /** The seed is sent; else all rollouts of a group may come out alike. */
  seeded: boolean;
  /** Variable of the environment that the key is from, for messages. */
  keyVariable: string;
  /** How long a turn waits in all, in milliseconds, while the proxy answers 429 or 503. */
  longestWaitMs: number;
}
