import type { Scaffold } from '../../agent/index.ts';
import type { RunCell, RunEntry, RunSettings, RunTask } from '../../contract/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import type { Store } from '../../store/index.ts';
import type { OpenWorkspace, Workspace, WorkspaceLimits } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';

/** A run as asked for, after flags, presets and defaults were merged. */
export interface RunPlan {
  runId: string;
  name: string;
  tasksFolder: string;
  tasksHash: string;
  tasks: readonly Task[];
  entries: readonly RunEntry[];
  seeds: readonly number[];
  settings: RunSettings;
  limits: WorkspaceLimits;
}

/** What a run works with; owned and closed by the caller. */
export interface RunParts {
  home: string;
  store: Store;
  owner: string;
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  /** Files below a folder of an image, `.git` left out; nothing of the image is run. */
  imageTree(image: string, folder: string): OpenWorkspace['seed'];
  /** Local id of a task's image. @throws VivariumError `image_missing` */
  imageOf(task: Task): Promise<string>;
  /** One at a time is open: entries run one after the other. */
  openModel(entry: RunEntry): Promise<ModelHandle>;
  scaffoldOf(entry: RunEntry): Promise<Scaffold>;
  /** Free bytes of memory and of the disk that the engine and the record use. */
  room(): Promise<{ memoryBytes: number; diskBytes: number }>;
  /** Ends the run; running cells are recorded as stopped and can be taken up again. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

/** One (entry, task, seed) that is still to be done. */
export interface CellJob {
  entry: number;
  task: RunTask;
  seed: number;
}

export interface RunProgress {
  total: number;
  finished: number;
  resolved: number;
  infra: number;
  running: { task: string; entry: string; seed: number; step: number }[];
  /** From the time that finished cells took; `null` until enough have. With a range of 80 %. */
  secondsLeft: { likely: number; low: number; high: number } | null;
  /** The newest cell that came to its end. */
  last: RunCell | null;
  /** Why fewer workers run than were asked for; `null` = all do. */
  held: string | null;
}
