import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { execa } from 'execa';
import {
  connectEngine,
  createOwner,
  openWorkspace,
  type Engine,
  type SeedEntry,
  type Workspace,
} from '../../src-main/workspaces/index.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const IMAGE = process.env['VIVARIUM_BENCH_IMAGE'] ?? 'vivarium-base:latest';

const MIB = 1024 * 1024;
export const LIMITS = {
  memoryBytes: 2048 * MIB,
  cpus: 2,
  pids: 256,
  diskBytes: 1024 * MIB,
  inodes: 200_000,
};

/** A folder of a measurement, and what it opened; everything goes when it is over. */
export interface Place {
  folder: string;
  engine: Engine;
  open(seed: AsyncIterable<SeedEntry>): Promise<Workspace>;
}

/** Runs a measurement with a temporary folder and workspaces that are closed afterwards. */
export async function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vivarium-bench-'));
  const engine = await connectEngine();
  const owner = createOwner(folder);
  const opened: Workspace[] = [];
  try {
    return await use({
      folder,
      engine,
      open: async (seed) => {
        const labels = { session: 'bench', attempt: 'bench' };
        const workspace = await openWorkspace(engine, {
          ...{ image: IMAGE, seed, limits: LIMITS, labels, owner },
        });
        opened.push(workspace);
        return workspace;
      },
    });
  } finally {
    await Promise.all(opened.map((workspace) => workspace.close()));
    await owner.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Entries of a small made-up tree. */
export async function* entries(files: Record<string, string>): AsyncGenerator<SeedEntry> {
  for (const [name, text] of Object.entries(files)) {
    yield { path: name, mode: '100644', content: Buffer.from(text) };
  }
}

/** A git repository with one commit of `files` files, `bytes` in all, spread over folders. */
export async function makeRepository(
  repository: string,
  { files, bytes }: { files: number; bytes: number },
): Promise<void> {
  // Made by git's own importer: writing 50,000 files one by one would take longer than the rest.
  await execa('git', ['init', '--quiet', '--initial-branch=main', repository]);
  const stdin = importOf(files, bytes);
  await execa('git', ['fast-import', '--quiet'], { cwd: repository, stdin });
  await execa('git', ['checkout', '--quiet', '--force', 'main'], { cwd: repository });
}

function* importOf(files: number, bytes: number): Generator<string> {
  yield 'commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\n';
  yield 'data 6\nstart\n\n';
  const size = Math.floor(bytes / files);
  for (let index = 0; index < files; index += 1) {
    // Different in every file, and neither empty nor all the same letter to a packer.
    const line = `value_${index} = ${(index * 2_654_435_761) % 4_294_967_296}\n`;
    const text = line.repeat(Math.ceil(size / line.length)).slice(0, size);
    yield `M 100644 inline ${fileAt(index)}\ndata ${text.length}\n${text}\n`;
  }
}

/** Path of a file of {@link makeRepository}. */
export function fileAt(index: number): string {
  return `package_${Math.floor(index / 1000)}/part_${Math.floor(index / 50)}/module_${index}.py`;
}
