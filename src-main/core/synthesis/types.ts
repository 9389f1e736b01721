import type { TaskSet } from '../../evaluation/index.ts';
import type {
  Calibration,
  ClassCounts,
  Frontier,
  GeneratorName,
  Shares,
  SynthProgress,
  SynthReport,
} from '../../synthesis/index.ts';
import type { EvalOptions } from '../evaluation/types.ts';

export type {
  CalibratedTask,
  GeneratorName,
  SynthProgress,
  SynthReport,
} from '../../synthesis/index.ts';

/** What a door asks for; unset members are defaults. */
export interface SynthAsked {
  repository: string;
  out: string;
  generators: readonly GeneratorName[];
  target: number;
  /** As `FixRequest.model`: works for `rewrite` and `featadd`, and writes the statements of all. */
  model?: string | undefined;
  /** As `FixRequest.scaffold`; default: the one the model was trained with, else `leaf`. */
  scaffold?: string | undefined;
  /** Command that calls a runner of tests; default by the files of the repository. */
  verify?: string | undefined;
  image?: string | undefined;
  /** Default 1. */
  seed?: number | undefined;
  /** Default 2. */
  workers?: number | undefined;
  /** Default 3. */
  reruns?: number | undefined;
  hideTests?: boolean | undefined;
  /** Largest shares of the target by kind; default 0.6 of a class, 0.4 of an area. What is above comes last. */
  shares?: Partial<Shares> | undefined;
  /** See `SynthRequest`. */
  classes?: ClassCounts | undefined;
  /** Paths through a function that `mutate` changes, at least; default 1. */
  leastComplexity?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: SynthProgress) => void) | undefined;
}

/** What a door asks for; unset members are defaults. */
export interface CalibrateAsked {
  folder: string;
  /** As `FixRequest.model`. */
  model: string;
  /** As `FixRequest.scaffold`; default: the one the model was trained with, else `leaf`. */
  scaffold?: string | undefined;
  /** Of every task; default 4. */
  probes?: number | undefined;
  /** Of one task; default 8. */
  maxProbes?: number | undefined;
  /** Kept pass rates; default 0.1 to 0.9. */
  band?: { low: number; high: number } | undefined;
  /** Largest share of never-solved tasks in the kept set, below 1; default 0.1. */
  unsolvedShare?: number | undefined;
  /** Largest share of one class of bugs, default 0.6; never under an even spread. */
  classShare?: number | undefined;
  /** New or empty folder for copies of the kept tasks. */
  out?: string | undefined;
  /** File for a page with the frontier; replaced where it is there. */
  page?: string | undefined;
  workers?: number | undefined;
  /** Make more of what lies at the frontier, and probe that too. */
  rounds?: CalibrateRounds | undefined;
  signal?: AbortSignal | undefined;
  onSynth?: ((progress: SynthProgress) => void) | undefined;
  watch?: Omit<EvalOptions, 'signal'> | undefined;
}

/** Rounds of synthesis, of tasks that `vivarium tasks synth` made. */
export interface CalibrateRounds {
  /** That they were made of; only read. */
  repository: string;
  /** In all, those of earlier calls counted. */
  rounds: number;
  /** Tasks a round. */
  more: number;
}

export interface CalibrationReport extends Calibration {
  refused: TaskSet['refused'];
  /** Runs that this call made; none when all was on record. */
  runs: string[];
  /** Where it is kept, beside the tasks. */
  file: string;
  /** Which kinds of bugs lie at the frontier, and the rounds made of that; kept beside it. */
  frontier: Pick<Frontier, 'classes' | 'methods' | 'rounds'>;
  /** Absolute; `null` = nothing was copied. */
  out: string | null;
}

/** Tasks from the user's own repository. */
export interface Synthesis {
  /**
   * Makes tasks below `out` until there are `target`; goes on where an earlier call stopped. The
   * repository is only read.
   * @throws VivariumError `repo_*`, `usage`, `image_missing`, `model_*`, `endpoint_*`, `task_invalid` when
   *   no test passes
   */
  tasks(asked: SynthAsked): Promise<SynthReport>;
  /**
   * Probes a model on tasks, 4 to 8 times each, and chooses those that it solves sometimes. Every
   * verdict on record of the same content, model and scaffold counts, so that the same call goes on
   * where an earlier one stopped. With `rounds` it goes on to make more tasks of the classes at the
   * frontier, and to probe those.
   * @throws VivariumError `usage`, `task_invalid`, `model_*`, `out_unwritable`, `docker_*`
   */
  calibrate(asked: CalibrateAsked): Promise<CalibrationReport>;
}
