import type {
  BenchResult,
  LibraryModel,
  Machine,
  ServerEngineId,
  ServerPlan,
  ServerStatus,
} from '../../contract/index.ts';
import type {
  AddOptions,
  ModelLibrary,
  ModelProfile,
  ProfileOverrides,
  SampleSink,
  ServerSample,
  ServedModel,
} from '../servers/types.ts';
import type { StartChild } from '../child.ts';

export interface ModelServiceConfig {
  /** `VIVARIUM_HOME`. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Where the owner of a server puts its samples, and where others find the latest. */
  samples: SampleSink & { latest(server: string): ServerSample | null };
  /** Words that start a keeper; see `startInBackground`. */
  keeperCommand: readonly string[];
  startChild?: StartChild;
}

/** Overrides for one start; the profile on disk stays as it is. */
export interface ServerOptions {
  overrides?: ProfileOverrides | undefined;
  /** Start although the plan says that it does not fit. */
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onStatus?: ((status: ServerStatus) => void) | undefined;
}

export interface KeepOptions extends ServerOptions {
  /** Ends the server once no other process uses it, unless somebody asks to keep it. */
  whileUsed?: boolean | undefined;
}

/** What would be started, and what speaks against it. */
export interface PlanReport {
  profile: ModelProfile;
  plan: ServerPlan;
  /** `vllm 0.33.0 in /opt/vllm`; `null` with the reason in `faults` when it was not found. */
  installation: string | null;
  version: string | null;
  /** What would make the start fail, one line each; empty = none known. */
  faults: string[];
}

/** A plan with the command line that would be started. */
export interface PlanPreview extends PlanReport {
  /** Key blacked out, port a placeholder; `null` when the engine was not found. */
  commandLine: string[] | null;
}

export interface BenchOptions extends ServerOptions {
  onProgress?: (text: string) => void;
}

export interface LogOptions {
  lines: number;
  follow: boolean;
  /** How often the file is looked at. */
  everyMs: number;
  signal: AbortSignal;
}

/** An engine as it was looked for. */
export interface SurveyedEngine {
  engine: ServerEngineId;
  /** Models whose profile names this place; empty = looked for where it usually is. */
  models: string[];
  /** `vllm 0.33.0 in /opt/vllm`; `null` = not found. */
  found: string | null;
  /** Why not, and what to do; `null` when it was found. */
  problem: { message: string; next: string } | null;
}

/** What there is for models on this machine. */
export interface Survey {
  machine: Machine;
  engines: SurveyedEngine[];
  /** Models whose files are not all where they were. */
  incomplete: { name: string; missing: string[] }[];
}

/** Names of servers. */
export interface CleanedServers {
  /** Their owner had died without ending them. */
  ended: string[];
  /** Their model is not in the library any more: state, logs and caches were removed. */
  forgotten: string[];
}

/** Everything that can be done with models on disk and their servers. */
export interface ModelService {
  /** Adds the model and writes its profile. */
  add(path: string, options?: AddOptions): Promise<LibraryModel>;
  readonly library: Omit<ModelLibrary, 'add'>;
  readonly profiles: {
    get(name: string): Promise<ModelProfile>;
    /** @throws VivariumError `profile_invalid` */
    set(name: string, overrides: ProfileOverrides): Promise<ModelProfile>;
    /** YAML. */
    export(name: string): Promise<string>;
    import(name: string, yaml: string): Promise<ModelProfile>;
  };
  plan(name: string, options?: ServerOptions): Promise<PlanReport>;
  /** The plan with the command line that would be started; nothing is. @throws as `plan` */
  preview(name: string, options?: ServerOptions): Promise<PlanPreview>;
  /** Files of a model that are not where they were, by name and size; `library.verify` reads them. */
  missingFiles(name: string): Promise<string[]>;
  /** What the machine has now. */
  machine(): Promise<Machine>;
  /**
   * A server that answers: one that runs, of whatever process, or one started for this use, which
   * ends when nobody uses it any more.
   * @throws VivariumError `model_not_found`, `engine_missing`, `profile_invalid`, `does_not_fit`,
   * `engine_failed`, `gpu_busy`, `server_running` when overrides are given for one that runs; the
   * signal's reason when aborted
   */
  use(name: string, options?: ServerOptions): Promise<ServedModel>;
  /**
   * Starts it in a process of its own that outlives this one, and waits until it is ready. One that
   * runs is returned as it is; one that was started for a use is kept beyond it.
   * @throws VivariumError as `use`
   */
  startInBackground(name: string, options?: ServerOptions): Promise<ServerStatus>;
  /** What that process runs: owns the server until it is stopped, idle or failed for good. */
  keep(name: string, options?: KeepOptions): Promise<ServerStatus>;
  /** @throws VivariumError `server_not_running`; `server_running` while it is used, unless forced */
  stop(name: string, options?: { force?: boolean }): Promise<ServerStatus>;
  /** Stops it if it runs, and starts it; a profile that would not start is told before. */
  restart(name: string, options?: ServerOptions): Promise<ServerStatus>;
  status(name: string): Promise<ServerStatus>;
  /** Of every model of the library and every server there is. */
  statuses(): Promise<ServerStatus[]>;
  /**
   * Lines of the log of the server's last start, oldest first: the last `lines`, then, with
   * `follow`, new ones until the signal.
   */
  logs(name: string, options: LogOptions): AsyncIterable<string[]>;
  bench(name: string, options?: BenchOptions): Promise<BenchResult>;
  /** Devices, engines and files, for `vivarium doctor`. */
  survey(): Promise<Survey>;
  /** Ends what dead owners left, and forgets the servers of models that are gone. */
  clean(): Promise<CleanedServers>;
  /** Stops what this process started. */
  close(): Promise<void>;
}
