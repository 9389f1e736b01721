import type { ChatModel, ModelHandle, ModelInfo } from '../types.ts';
import type { Failure, ServerEngine, ServerFigures } from './engine-types.ts';
import type { LibraryModel } from './library-types.ts';
import type { Machine, MemoryComparison, ServerPlan } from './plan-types.ts';
import type { ModelProfile } from './profile-types.ts';

export type * from './engine-types.ts';
export type * from './library-types.ts';
export type * from './plan-types.ts';
export type * from './profile-types.ts';

export type ServerState =
  | 'stopped'
  | 'planning'
  | 'loading'
  | 'ready'
  | 'busy'
  | 'stopping'
  | 'failed'
  /** Its owner or its process is gone without a stop of ours. */
  | 'lost';

/** What is known of a server; written to `HOME/servers/NAME/state.json` on every change. */
export interface ServerStatus {
  name: string;
  state: ServerState;
  /** Milliseconds since 1970 of the last change of `state`. */
  since: number;
  /** What it does now, from its log; `null` when ready or stopped. */
  progress: string | null;
  engine: string;
  version: string | null;
  /** Process that owns it, see `processIdentity`; `null` when nothing runs. */
  owner: string | null;
  /** `keeper` = started in the background by `models start`; `app` = lives as long as its user. */
  ownerKind: 'keeper' | 'app' | null;
  pid: number | null;
  /** `http://127.0.0.1:PORT`. */
  address: string | null;
  servedName: string | null;
  contextTokens: number | null;
  sequences: number | null;
  plan: ServerPlan | null;
  memory: MemoryComparison | null;
  /** Time from spawn to ready, and what of it came after the engine first answered. */
  timings: { readyMs: number; ownMs: number } | null;
  restarts: number;
  failure: Failure | null;
  /** The bounded log. */
  logFile: string | null;
  /** Processes that use it now (see leases), other than the owner. */
  users: number;
}

/** How to reach and prove a running server; kept 0600 beside the status, never printed. */
export interface ServerAccess {
  root: string;
  key: string;
  nonce: string;
  servedName: string;
}

export interface StartServer {
  profile: ModelProfile;
  model: LibraryModel;
  plan: ServerPlan;
  machine: Machine;
  engine: ServerEngine;
  ownerKind: 'keeper' | 'app';
  signal?: AbortSignal;
  onStatus?: (status: ServerStatus) => void;
  onLog?: (line: string) => void;
}

/** A server this process owns. */
export interface OwnedServer {
  status(): ServerStatus;
  access(): ServerAccess;
  /** Processes of the server now, own group and all that carry the nonce. */
  pids(): number[];
  subscribe(listener: (status: ServerStatus) => void): () => void;
  /** Counts a request of this process: no idle unload, state `busy`. Returns its end. */
  begin(): () => void;
  /** Settles when it has ended for good (stopped, failed, idle). */
  readonly ended: Promise<ServerStatus>;
  /** TERM, then KILL, to all; resolves when no process is left and memory is back. Idempotent. */
  stop(): Promise<void>;
}

export interface Supervisor {
  /**
   * Starts a server and resolves when it is ready: alive, lists our name, gave one token.
   * @throws VivariumError `engine_failed` (with the classified cause and remedy), `server_running`
   * when another owner has it, `gpu_busy`; the signal's reason when aborted (nothing is left then)
   */
  start(request: StartServer): Promise<OwnedServer>;
  /** Of any owner on this machine and home; `stopped` when nothing runs. */
  status(name: string): Promise<ServerStatus>;
  list(): Promise<ServerStatus[]>;
  /**
   * Uses a server that someone else of this home owns. `null` when there is none that is ready.
   * The lease keeps it from idle unload until released.
   */
  join(
    name: string,
  ): Promise<{
    access: ServerAccess;
    status: ServerStatus;
    release(): void;
    begin(): () => void;
  } | null>;
  /** Asks the owner, whoever it is, to stop; resolves when it is stopped. */
  stop(name: string, options?: { force?: boolean; timeoutMs?: number }): Promise<ServerStatus>;
  /** Ends what dead owners of this home left; returns the names. */
  reap(): Promise<string[]>;
  /** Stops all that this process owns. */
  close(): Promise<void>;
}

/** One look at a server, taken each second by its owner. `null` = not known. */
export interface ServerSample {
  /** Milliseconds since 1970. */
  at: number;
  /** Sum of PSS over its processes. */
  memoryBytes: number | null;
  /** Sum of what the driver books for its processes. */
  gpuBytes: number | null;
  gpuUtilization: number | null;
  figures: ServerFigures | null;
  /** Over the last interval, tokens per second. */
  promptPerSecond: number | null;
  generatedPerSecond: number | null;
  /** Over the last interval, 0 to 1. */
  cacheHitShare: number | null;
  firstTokenMs: number | null;
}

/** Where samples go; the store keeps them at falling resolution. */
export interface SampleSink {
  add(server: string, sample: ServerSample): void;
}

export interface BenchResult {
  name: string;
  /** Seconds from start to ready; `null` when it ran already. */
  loadSeconds: number | null;
  /** Tokens per second over a prompt that was never seen. */
  promptTokensPerSecond: number | null;
  generatedTokensPerSecond: number | null;
  firstTokenMs: number | null;
  /** One row per growing turn. */
  turns: {
    turn: number;
    promptTokens: number | null;
    cachedTokens: number | null;
    /** cached / prompt tokens that were sent before. */
    reusedShare: number | null;
    firstTokenMs: number | null;
  }[];
  memory: MemoryComparison | null;
}

/** A server that is ready, as `fix` takes it: its profile says how to drive the model. */
export interface ServedModel extends ModelHandle {
  readonly chat: ChatModel;
  readonly info: ModelInfo;
  readonly profile: ModelProfile;
  /** Started for this use, so closing it stops the server. */
  readonly started: boolean;
}
