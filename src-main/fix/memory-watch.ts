import { readFile } from 'node:fs/promises';
import process from 'node:process';
import type { ModelHandle } from '../models/index.ts';
import type { Workspace } from '../workspaces/index.ts';

const SAMPLE_EVERY_MS = 1000;

export interface MemorySample {
  workspaceBytes: number | null;
  modelBytes: number | null;
  /** Resident memory of this process. */
  appBytes?: number;
}

type Measured = Pick<ModelHandle, 'pid' | 'memoryBytes'>;

/** Samples memory of a workspace, of our model server and of ourselves while an attempt runs. */
export class MemoryWatch {
  /** The latest sample. */
  last: MemorySample = { workspaceBytes: null, modelBytes: null };
  /** Highest of the workspace as the kernel counted it, else as sampled; `null` if never read. */
  peakWorkspaceBytes: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  private readonly workspace: Workspace;
  private readonly model: Measured;
  private readonly onSample: (sample: MemorySample) => void;

  constructor(workspace: Workspace, model: Measured, onSample: (sample: MemorySample) => void) {
    this.workspace = workspace;
    this.model = model;
    this.onSample = onSample;
  }

  start(): this {
    this.schedule(0);
    return this;
  }

  /** One last sample, since the kernel's own peak is only read with it; then no more. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    if (this.stopped) return;
    await this.read();
    this.stopped = true;
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      void this.read().then(() => this.schedule(SAMPLE_EVERY_MS));
    }, delayMs);
    this.timer.unref();
  }

  private async read(): Promise<void> {
    // A sample that fails is no reason to disturb the attempt: the next one may work.
    const [usage, modelBytes] = await Promise.all([
      this.workspace.usage().catch(() => null),
      modelMemory(this.model).catch(() => null),
    ]);
    if (this.stopped) return;
    this.last = {
      workspaceBytes: usage?.memoryBytes ?? null,
      modelBytes,
      appBytes: process.memoryUsage.rss(),
    };
    const seen = usage ? Math.max(usage.peakMemoryBytes ?? 0, usage.memoryBytes) : null;
    if (seen !== null) this.peakWorkspaceBytes = Math.max(this.peakWorkspaceBytes ?? 0, seen);
    this.onSample(this.last);
  }
}

async function modelMemory(model: Measured): Promise<number | null> {
  if (model.memoryBytes !== undefined) return model.memoryBytes();
  return model.pid === null ? null : residentBytes(model.pid);
}

/** VmRSS of a process in bytes; `null` where /proc has no such process. */
async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}
