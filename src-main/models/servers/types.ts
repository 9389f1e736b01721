import type { ServerSample, ServerStatus } from '../../contract/index.ts';
import type { ChatModel, ModelHandle, ModelInfo } from '../types.ts';
import type { ServerEngine } from './engine-types.ts';
import type { LibraryModel } from './library-types.ts';
import type { Machine, ServerPlan } from './plan-types.ts';
import type { ModelProfile } from './profile-types.ts';

export type {
  BenchResult,
  SampleInterval,
  ServerSample,
  ServerState,
  ServerStatus,
} from '../../contract/index.ts';
export type * from './engine-types.ts';
export type * from './library-types.ts';
export type * from './plan-types.ts';
export type * from './profile-types.ts';

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
  /** Keeps in the background what was started for a use; its status says so from now on. */
  keep(): void;
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
  join(name: string): Promise<{
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

/** Where samples go; the store keeps them at falling resolution. */
export interface SampleSink {
  add(server: string, sample: ServerSample): void;
}

/** A server that is ready, as `fix` takes it: its profile says how to drive the model. */
export interface ServedModel extends ModelHandle {
  readonly chat: ChatModel;
  readonly info: ModelInfo;
  readonly profile: ModelProfile;
  /** Started for this use, so closing it stops the server. */
  readonly started: boolean;
}
