import type {
  DoctorRow,
  Handlers,
  ServerSample,
  SessionResult,
  StoredEvent,
} from '../contract/index.ts';
import type { FixProgress } from '../fix/index.ts';
import type { CleanedServers, ModelService, StartChild, TrainerUse } from '../models/index.ts';
import type { SessionSummary } from '../store/index.ts';
import type { Tasks } from './evaluation/task-types.ts';
import type { Evaluations } from './evaluation/types.ts';
import type { Reward, RolloutOptions, Training } from './training/types.ts';
import type { Synthesis } from './synthesis/types.ts';

/** What a door asks for; unset members come from `vivarium.yaml`, then from defaults. */
export interface FixRequest {
  repository: string;
  issue: string;
  /** Name of a library model, `script:FILE`, `gguf:FILE` or `http(s)://...#name`. */
  model: string;
  /** A built-in name or the path of a scaffold YAML file; default: the profile's, else `leaf`. */
  scaffold?: string | undefined;
  verify?: string | undefined;
  /** Globs added to the protected files of the defaults. */
  protect?: string[] | undefined;
  image?: string | undefined;
  runtime?: string | undefined;
  attempts?: number | undefined;
  parallel?: number | undefined;
  maxSteps?: number | undefined;
  maxContext?: number | undefined;
  seed?: number | undefined;
  timeLimitSeconds?: number | undefined;
  /** Start commit keeps what HEAD reaches. */
  history?: boolean | undefined;
  /** Paths or globs of git-ignored new files to include in the patch (P02). */
  include?: string[] | undefined;
  /** Folder for NAME.patch, NAME.json and NAME.trajectory.json. */
  out?: string | undefined;
  limits?:
    | Partial<{
        memoryBytes: number;
        cpus: number;
        pids: number;
        diskBytes: number;
        inodes: number;
      }>
    | undefined;
}

export type { FixProgress as Progress };

export interface FixOptions {
  /** Ends the running attempts; what there is is still exported. */
  signal?: AbortSignal;
  onProgress?: (progress: FixProgress) => void;
  onEvent?: (event: StoredEvent) => void;
  /** Called once, when the session is on record and nothing of the environment is missing any more. */
  onRecorded?: (sessionId: string) => void;
}

export type ExportFormat = 'patch' | 'mbox' | 'leaf';

/** What `clean` ended and removed; `bytes` are those of the snapshots. */
export interface Cleaned {
  containers: number;
  volumes: number;
  snapshots: number;
  bytes: number;
  servers: CleanedServers;
  /** Why containers and volumes could not be looked at; absent when they were. */
  unreached?: string;
}

export type {
  AddProgress,
  ModelService,
  PlanReport,
  ProfileOverrides,
  ServerOptions,
} from '../models/index.ts';
export type { LibraryModel, ServerSample, ServerStatus } from '../contract/index.ts';

export type * from './evaluation/task-types.ts';
export type * from './evaluation/types.ts';
export type * from './synthesis/types.ts';
export type * from './training/types.ts';
export type { RunProgress } from '../evaluation/index.ts';

export interface Core {
  fix(request: FixRequest, options?: FixOptions): Promise<SessionResult>;
  /** Goes on from the last checkpoint of an interrupted (or cancelled) session. */
  resume(session: string, options?: FixOptions & { out?: string }): Promise<SessionResult>;
  sessions(options?: { limit?: number; offset?: number; run?: string | null }): SessionSummary[];
  result(session: string): SessionResult;
  events(session: string, options?: { after?: number; attemptId?: string }): StoredEvent[];
  /** Bytes of the resulting patch (or of one attempt's); throws `nothing_to_export`. */
  patch(session: string, attemptId?: string): Promise<Uint8Array>;
  /** Writes the files and returns their paths. */
  export(session: string, options: { out: string; format: ExportFormat }): Promise<string[]>;
  doctor(): Promise<DoctorRow[]>;
  /** Removes what dead owners left: containers, volumes, snapshots, servers; says what went. */
  clean(): Promise<Cleaned>;
  images: {
    list(): Promise<{ reference: string; id: string; bytes: number; createdAt: number }[]>;
    /** Loads an archive made by `docker save`; returns the references it brought. */
    import(file: string, signal?: AbortSignal): Promise<string[]>;
    /** Builds the base image, with more Debian packages if named. */
    build(options: {
      tag?: string;
      packages?: string[];
      /** Ends the build; nothing of it stays. */
      signal?: AbortSignal;
      onProgress?: (line: string) => void;
    }): Promise<string>;
  };
  readonly evaluations: Evaluations;
  readonly tasks: Tasks;
  /**
   * One task for an external trainer, all of it told by environment variables; posts the reward.
   * @throws VivariumError `usage`, `endpoint_*`, and what keeps an attempt from its verdict
   */
  rollout(options: RolloutOptions): Promise<Reward>;
  readonly training: Training;
  /** Tasks from the user's own repository. */
  readonly synthesis: Synthesis;
  /** Models on disk and their servers. */
  readonly models: ModelService;
  /** The looks at a server that are on record, oldest first; see `Store.serverSamples`. */
  serverSamples(server: string, options: { since: number }): ServerSample[];
  /** The contract's calls and streams, for the doors that speak it. */
  readonly handlers: Handlers;
  /** Sessions that the handlers run in the background now, for doors that ask before they quit. */
  running(): string[];
  /** Ends servers, workspaces and the store; safe to call twice. */
  close(): Promise<void>;
}

export interface CoreConfig {
  /** `VIVARIUM_HOME`. */
  home: string;
  /** Environment the core may read (DOCKER_HOST, API keys, ...). */
  env: Readonly<Record<string, string | undefined>>;
  /** Words that run `models keep` in a process of its own: NAME and options are added. */
  keeperCommand?: readonly string[];
  /** Endpoints are a trainer's proxy. */
  trainer?: TrainerUse;
  /** How children of ours are started that end with this process; default: as Node does it. */
  startChild?: StartChild;
}
