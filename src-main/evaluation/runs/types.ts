import type { Scaffold } from '../../agent/index.ts';
import type {
  RunCell,
  RunEntry,
  RunSettings,
  RunTask,
  StoredEvent,
  Suspicion,
} from '../../contract/index.ts';
import type { Driving } from '../../fix/index.ts';
import type { ModelHandle } from '../../models/index.ts';
import type { Store } from '../../store/index.ts';
import type {
  OpenWorkspace,
  SeedEntry,
  Workspace,
  WorkspaceLimits,
} from '../../workspaces/index.ts';
import type { Graded, GradeRequest } from '../grading/types.ts';
import type { Task } from '../tasks/types.ts';
import type { EnergyMeter } from './energy-meter.ts';

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
  /** Machine and versions, for the record. */
  environment: Readonly<Record<string, string>>;
  /** Cells whose last end was infra are done again. */
  retryInfra?: boolean;
}

/** A scaffold as an entry drives its model with it. */
export interface EntrySetup {
  scaffold: Scaffold;
  /** Name, or absolute path of its file; as in the record of a session. */
  scaffoldFile: string;
  /** What the profile of the model says in place of the scaffold. */
  driving: Driving | null;
  /** Of the profile, where it has them; they hold where the run's settings leave them open. */
  maxSteps?: number;
  maxContextTokens?: number;
}

/** What a run works with; owned and closed by the caller. */
export interface RunParts {
  home: string;
  store: Store;
  owner: string;
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  /** Files below a folder of an image, `.git` left out; nothing of the image is run. */
  imageTree(image: string, folder: string): AsyncIterable<SeedEntry>;
  /** Local id of a task's image. @throws VivariumError `image_missing` */
  imageOf(task: Task): Promise<string>;
  /** One at a time is open: entries run one after the other. */
  openModel(entry: RunEntry): Promise<ModelHandle>;
  setupOf(entry: RunEntry): Promise<EntrySetup>;
  /** How patches and workspaces are judged; of the grading folder. */
  judge: {
    grade(request: GradeRequest): Promise<Graded>;
    gradeIn(workspace: Workspace, task: Task, options: { signal: AbortSignal }): Promise<Graded>;
  };
  /** What the record of an attempt shows; recorded with its cell. */
  analyse?(events: readonly StoredEvent[]): { premature: boolean; suspicions: Suspicion[] };
  /** Measures the energy of the machine while the run goes on; `null` where it does not tell. */
  openEnergy?(): Promise<EnergyMeter | null>;
  /** Free bytes of memory and of the disk that the engine and the record use. */
  room(): Promise<Room>;
  /** Ends the run; running cells are recorded as stopped and can be taken up again. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
}

export interface Room {
  /** Free for workspaces: without what the model server has mapped. */
  memoryBytes: number;
  diskBytes: number;
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
  secondsLeft: TimeLeft | null;
  /** The newest cell that came to its end. */
  last: RunCell | null;
  /** Why fewer workers run than were asked for; `null` = all do. */
  held: string | null;
}

export interface TimeLeft {
  likely: number;
  low: number;
  high: number;
}
