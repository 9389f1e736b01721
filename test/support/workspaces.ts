import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  connectEngine,
  createOwner,
  openWorkspace,
  type CapturedOutput,
  type Engine,
  type Owner,
  type SeedEntry,
  type Workspace,
  type WorkspaceLimits,
} from '../../src-main/workspaces/index.ts';

export const TEST_IMAGE = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest';
export const BUSYBOX_IMAGE = 'vivarium-busybox:latest';

const MIB = 2 ** 20;
export const SMALL_LIMITS: WorkspaceLimits = {
  memoryBytes: 512 * MIB,
  cpus: 2,
  pids: 128,
  diskBytes: 256 * MIB,
  inodes: 20_000,
};

/** Engine, owner and data folder of one test file; `dispose` leaves nothing behind. */
export interface Bench {
  engine: Engine;
  owner: Owner;
  home: string;
  open(options?: OpenOptions): Promise<Workspace>;
  dispose(): Promise<void>;
}

export interface OpenOptions {
  image?: string;
  limits?: Partial<WorkspaceLimits>;
  seed?: AsyncIterable<SeedEntry> | SeedEntry[];
  runtime?: string;
  root?: string;
  rootfs?: 'read-only' | 'writable';
  scratch?: readonly string[];
  signal?: AbortSignal;
  onRemoved?: () => void;
}

export async function openBench(engine?: Engine): Promise<Bench> {
  const connected = engine ?? (await connectEngine());
  const home = await mkdtemp(path.join(os.tmpdir(), 'vivarium-home-'));
  const owner = createOwner(home);
  const opened: Workspace[] = [];
  return {
    engine: connected,
    owner,
    home,
    async open(options = {}) {
      const workspace = await openWorkspace(connected, {
        owner,
        image: options.image ?? TEST_IMAGE,
        limits: { ...SMALL_LIMITS, ...options.limits },
        seed: toAsync(options.seed ?? []),
        labels: { session: 'test', attempt: 'test' },
        ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
        ...(options.root === undefined ? {} : { root: options.root }),
        ...(options.rootfs === undefined ? {} : { rootfs: options.rootfs }),
        ...(options.scratch === undefined ? {} : { scratch: options.scratch }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...(options.onRemoved === undefined ? {} : { onRemoved: options.onRemoved }),
      });
      opened.push(workspace);
      return workspace;
    },
    async dispose() {
      await Promise.allSettled(opened.map((workspace) => workspace.close()));
      await owner.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function* toAsync(entries: AsyncIterable<SeedEntry> | SeedEntry[]) {
  yield* entries;
}

export function file(path: string, content: string | Uint8Array, executable = false): SeedEntry {
  return {
    path,
    mode: executable ? '100755' : '100644',
    content: typeof content === 'string' ? Buffer.from(content) : content,
  };
}

export function link(path: string, target: string): SeedEntry {
  return { path, mode: '120000', content: Buffer.from(target) };
}

/** Bytes as text where every byte is one character. */
export function bytesOf(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1');
}

/** Head and tail of an output that was not cut. */
export function textOf(output: CapturedOutput): string {
  return Buffer.concat([output.head, output.tail]).toString('utf8');
}

/**
 * A command that prints 1 where the command line of a running process has these words, else 0; its
 * own does not count. Small images have neither `ps` nor `pgrep`.
 */
export function processesHave(words: string): string {
  const apart = `${words.slice(0, -1)}[${words.slice(-1)}]`;
  return `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c '${apart}'`;
}
