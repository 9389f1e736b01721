import type { SeedEntry, Workspace, WorkspaceLimits } from '../../src-main/workspaces/index.ts';

/** What a back end must bring to be tried. */
export interface WorkspaceMaker {
  open(options?: { seed?: SeedEntry[]; limits?: Partial<WorkspaceLimits> }): Promise<Workspace>;
  dispose(): Promise<void>;
}

/** A seed that all cases can share; each works in a folder of its own. */
export interface Subject {
  maker: WorkspaceMaker;
  workspace: Workspace;
}
