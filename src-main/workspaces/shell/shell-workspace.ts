import { setTimeout as delay } from 'node:timers/promises';
import { VivariumError } from '../../lib/index.ts';
import type {
  Attestation,
  FileRead,
  FileStat,
  FoundFile,
  RunRequest,
  RunResult,
  SeedEntry,
  TreeChanges,
  Workspace,
  WorkspaceUsage,
} from '../types.ts';
import { ChannelEnded, type Channel } from './channel.ts';
import type { SandboxPort } from './exec-stream.ts';
import { TreeExport } from './tree-export.ts';
import {
  FILE_SILENCE_MS,
  listFolder,
  readFile,
  statPath,
  writeFile,
  type FileState,
} from './files.ts';
import { Lane } from './lane.ts';
import { absolutePath, pathError } from './quote.ts';
import type { RunState } from './run-state.ts';
import { runCommand } from './run.ts';
import { killEverything } from './sweep.ts';

const LOSS_GRACE_MS = 3_000;

/** What a back end hands over once a sandbox runs, is seeded and attested. */
export interface ShellWorkspaceParts {
  id: string;
  root: string;
  home: string;
  attestation: Attestation;
  port: SandboxPort;
  pidsLimit: number;
  /** Paths of files and links that the tree began with. */
  seedPaths: ReadonlySet<string>;
  /** Resolves with the reason when the sandbox ends, by our doing or not. */
  ended: Promise<string>;
  usage: () => Promise<WorkspaceUsage>;
  /** Folders that the back end can put files into. */
  writable: readonly string[];
  place: (folder: string, entries: AsyncIterable<SeedEntry>) => Promise<void>;
  remove: () => Promise<void>;
}

/** A workspace on top of anything that can start a shell: Docker now, Kubernetes later. */
export class ShellWorkspace implements Workspace {
  readonly id: string;
  readonly root: string;
  readonly attestation: Attestation;
  readonly lost: Promise<string>;
  private lostReason: string | undefined;
  private announceLoss: (reason: string) => void = () => undefined;
  private closing: Promise<void> | undefined;
  private highestSeen = 0;
  private readonly parts: ShellWorkspaceParts;
  private readonly commands: Lane;
  private readonly files: Lane;
  private readonly runState: RunState;
  private readonly fileState: FileState;
  private readonly tree: TreeExport;

  constructor(parts: ShellWorkspaceParts) {
    this.parts = parts;
    this.id = parts.id;
    this.root = parts.root;
    this.attestation = parts.attestation;
    this.lost = new Promise((resolve) => {
      this.announceLoss = resolve;
    });
    this.commands = new Lane(parts.port);
    this.files = new Lane(parts.port);
    this.runState = {
      port: parts.port,
      commands: this.commands,
      files: this.files,
      ownPids: () => [...this.commands.pids(), ...this.files.pids()],
      pidsLimit: parts.pidsLimit,
      earlierRuns: [],
      oomKills: 0,
      assertAlive: () => this.assertAlive(),
      endSandbox: () => this.endSandbox(),
    };
    this.fileState = {
      root: parts.root,
      home: parts.home,
      withChannel: (work) => this.onFiles(work),
    };
    this.tree = new TreeExport(this.fileState, parts.seedPaths);
    void parts.ended.then((reason) => this.lose(reason));
  }

  /** Opens both shells and takes the listing that later changes are judged by. */
  async prepare(): Promise<void> {
    await Promise.all([this.commands.use(async () => undefined), this.tree.begin()]);
  }

  run(request: RunRequest): Promise<RunResult> {
    return this.guard(async () => {
      const cwd = absolutePath(request.cwd ?? this.root, this.root, this.parts.home);
      this.tree.noteRun();
      // At its end again: an export in between has seen only a part.
      return runCommand(this.runState, request, cwd).finally(() => this.tree.noteRun());
    });
  }

  readFile(path: string, options?: { maxBytes?: number }): Promise<FileRead | undefined> {
    return this.guard(() => readFile(this.fileState, path, options?.maxBytes));
  }

  writeFile(path: string, content: Uint8Array): Promise<{ created: boolean; realPath: string }> {
    return this.guard(async () => {
      const written = await writeFile(this.fileState, path, content).catch((error: unknown) => {
        // How far a failed write came is not known.
        this.tree.noteRun();
        throw error;
      });
      this.tree.noteWrite(written.realPath);
      return written;
    });
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.guard(() => statPath(this.fileState, path));
  }

  list(
    path: string,
    options: { maxEntries: number },
  ): Promise<{ entries: FoundFile[]; complete: boolean } | undefined> {
    return this.guard(() => listFolder(this.fileState, path, options.maxEntries));
  }

  exportChanges(): Promise<TreeChanges> {
    return this.guard(() => this.tree.changes(this.runState.earlierRuns.length > 0));
  }

  exportTree(): Promise<TreeChanges> {
    return this.guard(() => this.tree.whole());
  }

  usage(): Promise<WorkspaceUsage> {
    return this.guard(async () => {
      const usage = await this.parts.usage();
      const peak = usage.peakMemoryBytes ?? (await this.kernelPeak());
      this.highestSeen = Math.max(this.highestSeen, usage.memoryBytes, peak ?? 0);
      return { ...usage, peakMemoryBytes: this.highestSeen };
    });
  }

  place(folder: string, entries: AsyncIterable<SeedEntry>): Promise<void> {
    return this.guard(async () => {
      if (!this.parts.writable.includes(folder)) {
        throw pathError(`Files cannot be placed in ${folder}: it is no folder of the workspace.`);
      }
      this.tree.noteRun();
      await this.parts.place(folder, entries);
    });
  }

  endProcesses(): Promise<void> {
    return this.guard(async () => {
      this.tree.noteRun();
      await this.commands.hold(() => this.files.hold(() => this.endAll()));
    });
  }

  /** Our own shells end too; the next use opens new ones. */
  private async endAll(): Promise<void> {
    await killEverything(this.parts.port).catch(() => this.endSandbox());
    this.runState.earlierRuns.length = 0;
    this.commands.reset();
    this.files.reset();
  }

  /** Control groups of version 2 keep the peak in a file, which only the inside can see. */
  private async kernelPeak(): Promise<number | null> {
    const code = 'read -r vv_r </sys/fs/cgroup/memory.peak || vv_r=-';
    const text = await this.onFiles((channel) =>
      channel.request({ code, silenceMs: FILE_SILENCE_MS }),
    );
    return /^\d+$/.test(text) ? Number(text) : null;
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.lostReason ??= 'it was closed';
    this.commands.close();
    this.files.close();
    await this.parts.remove();
  }

  /** Turns every failure of a workspace that is gone into `workspace_lost`. */
  private async guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.lostReason !== undefined) throw this.lostError();
    try {
      return await work();
    } catch (error) {
      if (error instanceof VivariumError && error.code !== 'workspace_failed') throw error;
      await this.assertAlive();
      if (error instanceof VivariumError) throw error;
      throw new VivariumError(
        'workspace_failed',
        `The workspace did not carry out a request: ${String(error)}`,
        'Try again; if it stays, run `vivarium doctor`.',
        error,
      );
    }
  }

  private async onFiles<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    try {
      return await this.files.use(work);
    } catch (error) {
      if (!(error instanceof ChannelEnded)) throw error;
      await this.assertAlive();
      return this.files.use(work);
    }
  }

  private async assertAlive(): Promise<void> {
    if (this.lostReason === undefined) {
      const reason = await this.parts.port.goneReason();
      if (reason !== undefined) this.lose(reason);
    }
    if (this.lostReason !== undefined) throw this.lostError();
  }

  /** No process could be started in it, not even to end the others. */
  private async endSandbox(): Promise<never> {
    await this.parts.port.kill();
    await Promise.race([this.parts.ended, delay(LOSS_GRACE_MS)]);
    this.lose((await this.parts.port.goneReason()) ?? 'no process can be started in it any more');
    throw this.lostError();
  }

  private lose(reason: string): void {
    if (this.lostReason !== undefined) return;
    this.lostReason = reason;
    this.announceLoss(reason);
    this.commands.close();
    this.files.close();
  }

  private lostError(): VivariumError {
    return new VivariumError(
      'workspace_lost',
      `The workspace is gone: ${this.lostReason ?? 'unknown reason'}.`,
      'Resume the session; it goes on from its last checkpoint in a new workspace.',
    );
  }
}
