import type { ExitReason } from '../contract/index.ts';
import type {
  ChatMessage,
  ChatModel,
  Completion,
  CompletionDelta,
  Sampling,
  ToolCall,
  ToolSpec,
  TurnTokens,
  Usage,
} from '../models/index.ts';
import type { RunResult, Workspace } from '../workspaces/index.ts';

/** Limits of one attempt. */
export interface AttemptLimits {
  maxSteps: number;
  /** Context window to use at most; the server's real one may be smaller. */
  maxContextTokens: number;
  maxTokensPerTurn: number;
  /** Most tokens that a turn's prompt may have, where training had such a limit; else the window. */
  maxInputTokens?: number | null;
  timeLimitMs: number;
}

/** A call that can be executed: the name is one of the scaffold's, the arguments are an object. */
export interface ReadyCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** What a reply means. `raw` calls keep their order; each gets exactly one observation. */
export interface ParsedTurn {
  /** The assistant message to keep in history; well-formed even when the reply was not (L01). */
  message: Extract<ChatMessage, { role: 'assistant' }>;
  /** In the model's order. A call that cannot be executed carries its error text instead (L01, L07). */
  calls: ({ ok: true; call: ReadyCall } | { ok: false; id: string; name: string; error: string })[];
  /** No call and real content: the model's final answer. */
  final: string | null;
  /** No usable call and no answer: what to tell the model as a nudge, and why. */
  nudge: { kind: 'empty_reply' | 'format_error' | 'cut'; text: string } | null;
  /** Calls were salvaged from content or reasoning (L02), names or arguments were repaired, ... */
  notes: string[];
}

/** Result of one tool call, as the model sees it and as the record keeps it. */
export interface Observation {
  callId: string;
  tool: string;
  /** Exactly what the model is shown. */
  text: string;
  isError: boolean;
  /** May have changed files: the checkpoint looks for changes only then. */
  mutated: boolean;
  durationMs: number;
  /** Raw result of Bash, kept in the record as bytes. */
  run?: RunResult;
  notes: string[];
}

/** Instruction and facts the scaffold may show; for a fix, only the issue. */
export interface AgentTask {
  instruction: string;
  /** Where the repository lies in the workspace; the loop says it. */
  root?: string;
}

export interface Opening {
  messages: ChatMessage[];
  tools: ToolSpec[];
}

/**
 * Prompts, tools, call format, observation format and limits a model was trained with.
 * `open`, `parse` and `observe` are pure; only `execute` touches the workspace.
 */
export interface Scaffold {
  readonly name: string;
  /** sha256 over everything that shapes what the model sees; goes into provenance. */
  readonly hash: string;
  readonly limits: AttemptLimits;
  readonly sampling: Sampling;
  open(task: AgentTask): Opening;
  parse(reply: Completion): ParsedTurn;
  execute(call: ReadyCall, workspace: Workspace, signal: AbortSignal): Promise<Observation>;
  /** Messages that carry the observations of one turn back, in order. */
  observe(observations: readonly Observation[]): ChatMessage[];
  /** Where the repository lies in the workspaces that the model was trained in; unset: anywhere. */
  readonly root?: string;
  /** Below the last message before each turn, the first included; it becomes part of the history. */
  remind?(turn: { stepsDone: number; maxSteps: number }): string;
  /**
   * Above so many tokens of prompt, the oldest observations are sent as the placeholder. The history
   * on record keeps them.
   */
  readonly condense?: { aboveTokens: number; placeholder: string };
}

/** One finished step, as handed to the recorder. */
export interface StepRecord {
  /** 1-based. */
  step: number;
  /** Messages this step added to the history, in order: assistant, then observations or a nudge. */
  messages: ChatMessage[];
  calls: ToolCall[];
  observations: Observation[];
  finish: Completion['finish'];
  usage: Usage;
  /** Where they were asked for and the server gave any. */
  tokens?: TurnTokens;
  timings: {
    modelMs: number;
    firstTokenMs: number | null;
    toolsMs: number;
    ownMs: number;
    /** While the model's server was paused; absent where it was not. */
    waitedMs?: number;
  };
  retries: string[];
  notes: string[];
}

/** Where the loop reports to; `step` must have saved everything when it resolves. */
export interface AttemptRecorder {
  opened(opening: Opening): Promise<void>;
  step(record: StepRecord): Promise<void>;
  /** For people who watch: what happens right now. Never stored. */
  activity(activity: Activity): void;
}

export type Activity =
  | { kind: 'model'; step: number }
  | { kind: 'delta'; step: number; delta: CompletionDelta }
  | { kind: 'tool'; step: number; name: string; summary: string }
  | { kind: 'note'; step: number; text: string };

export interface AttemptRequest {
  task: AgentTask;
  scaffold: Scaffold;
  chat: ChatModel;
  workspace: Workspace;
  limits: AttemptLimits;
  /** The server's real window where known. */
  contextTokens: number | null;
  /** Sent to the server as the sampling seed; step number is mixed in so that retries differ. */
  seed: number;
  /** Asks the server for the tokens of each turn. */
  recordTokens?: boolean;
  recorder: AttemptRecorder;
  signal: AbortSignal;
  /** History and step count of an interrupted attempt to go on from. */
  resume?: { messages: ChatMessage[]; steps: number; elapsedMs: number };
}

export interface AttemptOutcome {
  exitReason: ExitReason;
  /** One line for people: what exactly happened; `null` when the reason says it all. */
  detail: string | null;
  steps: number;
  /** The model's last words, if it ended with an answer. */
  finalMessage: string | null;
  usage: Usage;
  /** `waiting`: while the model's server was paused; absent where it was not. */
  seconds: { model: number; tools: number; total: number; waiting?: number };
}
