import type { EventOf, ReportFormat, RunCell, RunSummary } from '../../contract/index.ts';
import type { ExportReport, ExportRequest, RunProgress } from '../../evaluation/index.ts';

/** What a door asks for; what is left out comes from the preset, then from profiles and scaffolds. */
export interface EvalRequest {
  /** Folder of task directories, or the name of a preset. */
  tasks: string;
  /** Folder of the preset's tasks. */
  data?: string | undefined;
  /** As `FixRequest.model`. */
  models: readonly string[];
  /** As `FixRequest.scaffold`; none = the one each model was trained with, else `leaf`. */
  scaffolds: readonly string[];
  seeds?: readonly number[] | undefined;
  workers?: number | undefined;
  /** Of the tasks that `only` leaves, the first so many. */
  limit?: number | undefined;
  /** Names of tasks. */
  only?: readonly string[] | undefined;
  name?: string | undefined;
  maxSteps?: number | undefined;
  maxContext?: number | undefined;
  maxTokensPerTurn?: number | undefined;
  timeLimitSeconds?: number | undefined;
  temperature?: number | undefined;
  infraRetries?: number | undefined;
  /** Keeps token ids and log-probabilities of each turn, where the server gives them. */
  recordTokens?: boolean | undefined;
}

export interface EvalOptions {
  /** Ends the running attempts; the run can be taken up again. */
  signal?: AbortSignal;
  onProgress?: (progress: RunProgress) => void;
  /** What is done between cells: a model is started, ... */
  onPhase?: (text: string) => void;
  /** Once, when the run is on record. */
  onRecorded?: (runId: string) => void;
  /** What a person should know about how it runs; said before it begins. */
  onNote?: (text: string) => void;
}

/** A run with all that is on record of it. */
export interface RunDetails {
  run: RunSummary;
  created: Omit<EventOf<'run.created'>, 'type'>;
  cells: RunCell[];
}

/** Which cell of a run is meant; the seed or entry is needed where the run has several. */
export interface CellChoice {
  task: string;
  seed?: number | undefined;
  /** Label of the entry. */
  entry?: string | undefined;
}

/** What grading again came to. */
export interface Regraded {
  runId: string;
  /** Cells whose verdict was made again. */
  cells: number;
  changed: { task: string; entry: string; seed: number; before: string; after: string }[];
  skipped: { task: string; entry: string; seed: number; why: string }[];
}

export type { ExportReport, ExportRequest };

export interface Evaluations {
  /** Runs tasks x seeds x entries. @throws VivariumError before anything is on record, or that ended it */
  run(request: EvalRequest, options?: EvalOptions): Promise<RunDetails>;
  /**
   * Does what is left of a run. `retryInfra`: also the cells that came to infra.
   * @throws VivariumError `run_not_found`, `task_changed`, `usage` when another process runs it
   */
  resume(
    run: string,
    options?: EvalOptions & { workers?: number | undefined; retryInfra?: boolean | undefined },
  ): Promise<RunDetails>;
  /** Newest first. */
  list(): RunSummary[];
  show(run: string): Promise<RunDetails>;
  /**
   * Writes a run for other tools into a new or empty folder, or sends it to the address in the request.
   * @throws VivariumError `run_not_found`, `usage`, `out_unwritable`, `disk_full`, `endpoint_*`
   */
  export(run: string, request: ExportRequest): Promise<ExportReport>;
  /**
   * One file for people or programs; `name` is one for it.
   * @throws VivariumError `run_not_found`, `usage` when compared with itself
   */
  report(
    run: string,
    options: { with?: string | undefined; format: ReportFormat },
  ): Promise<{ name: string; bytes: Uint8Array }>;
  /**
   * What a person says of a cell, on top of what was computed; `null` takes it back.
   * @throws VivariumError `run_not_found`, `usage` when there is no such cell
   */
  label(
    run: string,
    cell: CellChoice,
    said: { label: string | null; note: string },
  ): Promise<RunCell>;
  /**
   * Makes the verdicts again without a model: from the logs on record, or by running the tests anew.
   * @throws VivariumError `run_not_found`, `usage` while it runs
   */
  regrade(
    run: string,
    options?: {
      tests?: boolean | undefined;
      signal?: AbortSignal | undefined;
      onProgress?: (done: number, total: number) => void;
    },
  ): Promise<Regraded>;
}
