import type { TreeChanges } from '../types.ts';
import type { FileState } from './files.ts';

/** Finds out what changed in the repository folder. */
export class TreeExport {
  private readonly state: FileState;
  private readonly seedPaths: ReadonlySet<string>;

  constructor(state: FileState, seedPaths: ReadonlySet<string>) {
    this.state = state;
    this.seedPaths = seedPaths;
  }

  async begin(): Promise<void> {}

  async changes(): Promise<TreeChanges> {
    return { written: [], deleted: [], refused: [] };
  }

  async whole(): Promise<TreeChanges> {
    return this.changes();
  }
}
