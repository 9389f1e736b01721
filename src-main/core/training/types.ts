import type {
  DryRunReport,
  DryRunRequest as DryRun,
  TrainReport,
  TrainRequest as Train,
} from '../../training/index.ts';

export type { DryRunReport, RowFormat, TrainFormat, TrainReport } from '../../training/index.ts';
export type { Reward } from '../../training/index.ts';

export interface RolloutOptions {
  signal: AbortSignal;
  /** What happens right now, and what a person should know of it. */
  onPhase?: (text: string) => void;
}

interface NamedTokenizer {
  /** A GGUF file or the name of a model in the library. */
  tokenizer?: string | undefined;
}

export interface TrainRequest extends Omit<Train, 'tokenizer'>, NamedTokenizer {}

export interface DryRunRequest extends Omit<DryRun, 'tokenizer'>, NamedTokenizer {}

/** Training data from runs on record. */
export interface Training {
  /**
   * Writes attempts of runs, named by id or the beginning of one, as rows for a trainer.
   * @throws VivariumError `run_not_found`, `nothing_to_export`, `out_unwritable`, `disk_full`;
   *   `model_not_found`, `model_spec_invalid`, `model_file_invalid` for a tokenizer
   */
  export(runs: readonly string[], request: TrainRequest): Promise<TrainReport>;
  /** What importers would make of each row; writes nothing. Throws as `export` does. */
  dryRun(runs: readonly string[], request: DryRunRequest): Promise<DryRunReport>;
}
