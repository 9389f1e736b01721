export type StreamName = 'stdout' | 'stderr';
export type OutputHandler = (stream: StreamName, chunk: Buffer) => void;

/** A process started inside a workspace, with its three streams. What a back end has to offer. */
export interface ExecStream {
  /** Given every chunk, in order; what it does not keep is gone. */
  onOutput(handler: OutputHandler): void;
  /** Never rejects: a stream that broke shows in `ended`. */
  write(bytes: Uint8Array): void;
  /** Resolves when no more output can come. */
  readonly ended: Promise<void>;
  /** Whether the process is still there; a stream may outlive it, held open by its children. */
  running(): Promise<boolean>;
  /** Exit code once it ended, `null` when unknown. */
  exitCode(): Promise<number | null>;
  /** Stops reading for good: a process that goes on writing blocks. */
  pause(): void;
  destroy(): void;
}

/** What the shell side needs from Docker, or later from Kubernetes. */
export interface SandboxPort {
  /** Starts a process as the workspace's user. */
  exec(argv: readonly string[]): Promise<ExecStream>;
  /** Why the sandbox is gone; `undefined` while it lives. */
  goneReason(): Promise<string | undefined>;
  /** Ends the sandbox at once, as the last resort. */
  kill(): Promise<void>;
}
