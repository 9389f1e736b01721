import type { Failure, ServerFigures } from '../../contract/index.ts';
import type { ChildExit } from '../child.ts';
import type { LibraryModel } from './library-types.ts';
import type { Machine, ServerPlan } from './plan-types.ts';
import type { ModelProfile, ServerEngineId } from './profile-types.ts';

export type { Failure, ServerFigures } from '../../contract/index.ts';

/** A found program of an engine. */
export interface Installation {
  engine: ServerEngineId;
  /** Words before the engine's own arguments: `['/opt/vllm/bin/vllm', 'serve']`. */
  command: string[];
  version: string;
  /** Long flags its help lists; `null` where it has none (ours). */
  flags: ReadonlySet<string> | null;
  /** Values a flag accepts where the help lists them: `--tool-call-parser`. */
  choices: ReadonlyMap<string, readonly string[]>;
  /** `vllm 0.33.0 in /opt/vllm`, for people. */
  shown: string;
}

/** All an engine needs to make its command line. */
export interface LaunchInput {
  installation: Installation;
  profile: ModelProfile;
  model: LibraryModel;
  plan: ServerPlan;
  machine: Machine;
  /** Loopback port to listen on; 0 = the system chooses (only if `choosesPort`). */
  port: number;
  /** Bearer key; travels by environment or message, never in argv where it can be avoided. */
  key: string;
  /** `NAME-NONCE`: the name under which `/v1/models` must list the model. */
  servedName: string;
  /** Folder of our own for the engine's caches (0700). */
  cacheFolder: string;
  /** Environment of this process; engines pick by allow-list. */
  env: Readonly<Record<string, string | undefined>>;
}

/** What the supervisor starts. */
export type LaunchCommand =
  | {
      kind: 'program';
      argv: string[];
      /** The whole environment; nothing is inherited. */
      env: Record<string, string>;
      cwd: string;
      /** Words and values that are blacked out in logs. */
      secrets: string[];
      /**
       * How the supervisor ends a container besides the process group: `REMOVER rm -f NAME` in the
       * same environment. Without a remover it is the first word of `argv`.
       */
      container?: { name: string; remover?: string };
    }
  /** A script of ours, started by {@link StartChild}; it reports its port by message. */
  | {
      kind: 'child';
      entry: string;
      env: Record<string, string>;
      start: unknown;
      secrets: string[];
    };

/** What one line of the log means. */
export interface LogReading {
  /** For people: `loading weights (2 of 4 shards)`. */
  progress?: string;
  /** Port printed by an engine that chooses its own. */
  port?: number;
  /** A part that it cannot do without is gone; the rest may take seconds to see that and end. */
  broken?: true;
}

/** State of a server as its HTTP side shows it. */
export type Readiness =
  | { state: 'loading'; detail: string }
  /** It answered, and lists `servedName`. */
  | { state: 'ready'; contextTokens: number | null; details: Record<string, string | number> }
  /** Something answers, but it is not ours (S02). */
  | { state: 'foreign'; detail: string }
  | { state: 'dead'; detail: string };

export interface ReachInput {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  root: string;
  key: string;
  servedName: string;
  signal: AbortSignal;
}

export interface FailureInput {
  /** Lines of the log, oldest first, as kept by the bounded log (first error included). */
  lines: readonly string[];
  exit: ChildExit | null;
  /** The kernel's count of out-of-memory kills rose while it ran. */
  outOfMemoryKilled: boolean;
  /**
   * It ended by itself before it answered, and somebody else listens on its port: a server whose last
   * words were lost (llama-server's logger loses them once in some 60 ends) is understood all the same.
   */
  portTaken?: boolean;
}

/**
 * A kind of model server. Pure but for `probe`, `reach` and `figures`; it owns no process: the
 * supervisor does.
 */
export interface ServerEngine {
  readonly id: ServerEngineId;
  /** It can listen on a port of the system's choice and says which. */
  readonly choosesPort: boolean;
  /** @throws VivariumError `engine_missing` with what was looked for and where */
  probe(
    profile: Pick<ModelProfile, 'source' | 'environment'>,
    options: { env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal },
  ): Promise<Installation>;
  /** Faults of a profile that this version would refuse, each one line; empty = none. */
  check(profile: ModelProfile, installation: Installation, model: LibraryModel): string[];
  command(input: LaunchInput): LaunchCommand;
  readLine(line: string): LogReading;
  reach(input: ReachInput): Promise<Readiness>;
  classify(failure: FailureInput): Failure | null;
  /** `null` when it has no metrics or they could not be read this time. */
  figures(input: ReachInput): Promise<ServerFigures | null>;
}
