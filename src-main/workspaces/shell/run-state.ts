import type { SandboxPort } from './exec-stream.ts';
import type { Lane } from './lane.ts';

/** What runs of one workspace share. */
export interface RunState {
  port: SandboxPort;
  commands: Lane;
  files: Lane;
  /** Pids of our own shells. */
  ownPids: () => readonly number[];
  pidsLimit: number;
  /** Runs that left processes alive on purpose. */
  earlierRuns: string[];
  oomKills: number;
  /** Throws `workspace_lost` if the sandbox is gone. */
  assertAlive: () => Promise<void>;
  /** The last resort: kills the sandbox and throws `workspace_lost`. */
  endSandbox: () => Promise<never>;
}
