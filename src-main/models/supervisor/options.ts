import type { StartChild } from '../child.ts';
import type { ServerAccess, ServerEngine, ServerPlan, ServerStatus } from '../servers/types.ts';

/** Times of the supervisor; tests shorten them. */
export interface SupervisorLimits {
  /** Between two looks at a loading server. */
  pollMs: number;
  /** Between two looks at a ready one, and two ticks. */
  tickMs: number;
  /** Without a log line, processor time, memory change or read for so long, a load has stalled. */
  stallMs: number;
  /** With requests but without tokens or processor time for so long, a ready server is probed. */
  quietMs: number;
  /** How long such a probe waits for its one token. */
  probeMs: number;
  /** Between two looks at whether a ready server still serves its model; three in vain end it. */
  healthMs: number;
  /** Between two looks at the server's own figures. */
  figuresMs: number;
  /** Between TERM and KILL. */
  graceMs: number;
  /** For the killed to be gone, and for the GPU to be free of them. */
  killMs: number;
  /** A foreign server on the port for so long while ours lives: another port is tried. */
  foreignMs: number;
  portTries: number;
  /** First pause before a restart; doubles, with up to a quarter more by chance. */
  backOffMs: number;
  longestBackOffMs: number;
  /** Restarts within `restartWindowMs`; as long without a failure forgets them. */
  restarts: number;
  restartWindowMs: number;
  /** Between two looks for a request to stop. */
  stopPollMs: number;
  /** Length of a minute of `idleMinutes`. */
  idleMinuteMs: number;
}

/** Figures: reference `model-servers.md`, section 6, and the project's own where it names none. */
export const DEFAULT_LIMITS: SupervisorLimits = {
  pollMs: 50,
  tickMs: 1_000,
  stallMs: 300_000,
  quietMs: 60_000,
  probeMs: 60_000,
  healthMs: 10_000,
  figuresMs: 5_000,
  graceMs: 2_500,
  killMs: 2_000,
  foreignMs: 2_000,
  portTries: 3,
  backOffMs: 1_000,
  longestBackOffMs: 60_000,
  restarts: 3,
  restartWindowMs: 600_000,
  stopPollMs: 150,
  idleMinuteMs: 60_000,
};

/** Told each second while a server loads or runs, for telemetry. */
export interface ServerTick {
  name: string;
  /** Milliseconds since 1970. */
  at: number;
  status: ServerStatus;
  /** Processes of the server now. */
  pids: number[];
  engine: ServerEngine;
  /** `null` until its port is known. */
  access: ServerAccess | null;
}

export interface SupervisorOptions {
  /** VIVARIUM_HOME. */
  home: string;
  /** Environment of this process; engines pick from it by allow-list. */
  env: Readonly<Record<string, string | undefined>>;
  /** How to start our own scripts; the door may give its own. Default: Node's `fork`. */
  startChild?: StartChild;
  limits?: Partial<SupervisorLimits>;
  /** Must not throw and must not wait. */
  onTick?: (tick: ServerTick) => void;
  /** Called once with the last status of a server that ended for good. */
  onEnded?: (status: ServerStatus) => void;
  /**
   * Memory of a server in bytes where the plan put it, measured once it is ready; `null` = not known.
   * Default: the sum of its processes' shares of main memory, for plans without a GPU.
   */
  measure?: (pids: readonly number[], plan: ServerPlan) => Promise<number | null>;
  /** Pids the GPU driver books memory for; `null` = not known. Default: asks nvidia-smi. */
  gpuPids?: () => Promise<ReadonlySet<number> | null>;
}
