import type {
  DryRunReport,
  DryRunRequest,
  TrainReport,
  TrainRequest,
} from '../../training/index.ts';

export type {
  DryRunReport,
  DryRunRequest,
  RowFormat,
  TrainFormat,
  TrainReport,
  TrainRequest,
} from '../../training/index.ts';
export type { Reward } from '../../training/index.ts';

export interface RolloutOptions {
  signal: AbortSignal;
  /** What happens right now, and what a person should know of it. */
  onPhase?: (text: string) => void;
}

/** Training data from runs on record. */
export interface Training {
  /**
   * Writes attempts of runs, named by id or the beginning of one, as rows for a trainer.
   * @throws VivariumError `run_not_found`, `nothing_to_export`, `out_unwritable`, `disk_full`
   */
  export(runs: readonly string[], request: TrainRequest): Promise<TrainReport>;
  /** What importers would make of each row; writes nothing. Throws as `export` does. */
  dryRun(runs: readonly string[], request: DryRunRequest): Promise<DryRunReport>;
}
