import type { StartChild } from '../child.ts';
import type { BoundedLog } from '../log/index.ts';
import type { Installation, ServerAccess, StartServer } from '../servers/types.ts';
import type { ServerFiles } from './files.ts';
import type { SupervisorLimits, SupervisorOptions } from './options.ts';
import type { ProcessFinder } from './process-finder.ts';
import type { ServerProcess } from './server-process.ts';
import type { StatusBoard } from './status-board.ts';

/** What stays the same over all launches of one server, from its start to its end. */
export interface ServerContext {
  name: string;
  request: StartServer;
  installation: Installation;
  options: SupervisorOptions;
  limits: SupervisorLimits;
  startChild: StartChild;
  files: ServerFiles;
  board: StatusBoard;
  log: BoundedLog;
  finder: ProcessFinder;
  nonce: string;
  key: string;
  /** What the log blacks out; engines add to it. */
  secrets: string[];
  servedName: string;
  /** Aborted when the server has to end. */
  signal: AbortSignal;
}

/** A server that runs; maybe not ready yet. */
export interface RunningServer {
  process: ServerProcess;
  /** `null` until its port is known. */
  access: ServerAccess | null;
  /** Grows with everything it prints. */
  output(): number;
  /** The kernel's count of kills for lack of memory when it was started. */
  memoryKills: number;
}
