import type { Activity, Scaffold } from '../agent/index.ts';
import type { ModelHandle } from '../models/index.ts';
import type { Change, Snapshot } from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import type { OpenWorkspace, Workspace, WorkspaceLimits } from '../workspaces/index.ts';
import type { WatchedServer } from './server-glimpse.ts';
import type { SettledRequest } from './settled.ts';

/** Everything a session needs to run. */
export interface SessionPlan extends SettledRequest {
  sessionId: string;
  issue: string;
  title: string;
  snapshot: Snapshot;
  /** In the files from the start on top of the snapshot, against which patches are made all the same. */
  start?: readonly Change[];
  scaffold: Scaffold;
  limits: WorkspaceLimits;
}

/** What the session works with; owned and closed by the caller. */
export interface SessionParts {
  /** `VIVARIUM_HOME`. */
  home: string;
  store: Store;
  model: ModelHandle;
  /** The server of the model, where looks at it are kept; they help to explain what was slow. */
  server?: WatchedServer | null;
  /** Opens a workspace under the caller's engine and owner lease. */
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  /** See `processIdentity`. */
  owner: string;
  /** Ends attempts; what there is is still recorded and exported. */
  signal: AbortSignal;
  onProgress: (progress: FixProgress) => void;
}

/** What happens right now, for people who watch; never stored. */
export interface FixProgress {
  sessionId: string;
  attemptId: string | null;
  /** 1-based; 0 outside attempts. */
  attempt: number;
  at:
    | { kind: 'phase'; text: string }
    | {
        kind: 'memory';
        workspaceBytes: number | null;
        modelBytes: number | null;
        appBytes?: number;
      }
    | Activity;
}
