import type {
  AddRequest,
  FoundLists,
  ImportReport,
  ImportRequest,
  PreflightRow,
  Task,
  TaskCheck,
  TaskSet,
} from '../../evaluation/index.ts';

export type {
  FoundLists,
  ImportReport,
  ImportRequest,
  PreflightRow,
  TaskCheck,
  TaskFormat,
  TaskSet,
} from '../../evaluation/index.ts';

export interface TaskChecks {
  checks: TaskCheck[];
  /** Folders of the set that are no tasks. */
  refused: TaskSet['refused'];
}

/** Task sets on disk: made, checked, and looked over before a run. */
export interface Tasks {
  /** @throws VivariumError `task_invalid` */
  list(folder: string): Promise<TaskSet>;
  /** @throws VivariumError `task_invalid` when nothing could be made of the data set */
  import(request: ImportRequest): Promise<ImportReport>;
  /** Tasks from pairs of releases; those that give none are listed. */
  fromReleases(request: {
    /** JSON list of pairs. */
    list: string;
    sdists: string;
    out: string;
    image?: string | undefined;
    only?: readonly string[] | undefined;
    signal?: AbortSignal | undefined;
    onTask?: (id: string, done: number, total: number) => void;
  }): Promise<{
    written: { task: Task; found: FoundLists | null }[];
    refused: { id: string; reason: string }[];
  }>;
  /** A fixed bug of a repository's history as a task; the repository is only read. */
  add(
    request: Omit<AddRequest, 'judge' | 'image'> & { image?: string | undefined },
  ): Promise<{ task: Task; found: FoundLists | null; notCarried: string[] }>;
  /** Checks tasks and keeps what was found beside them. */
  check(
    folder: string,
    options?: {
      only?: readonly string[] | undefined;
      reruns?: number | undefined;
      seed?: number | undefined;
      keepFlaky?: boolean | undefined;
      signal?: AbortSignal | undefined;
      onTask?: (check: TaskCheck, done: number, total: number) => void;
    },
  ): Promise<TaskChecks>;
  /** What each task lacks on this machine. */
  preflight(folder: string): Promise<{ rows: PreflightRow[]; refused: TaskSet['refused'] }>;
}
