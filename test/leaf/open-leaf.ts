import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Observation, Scaffold } from '../../src-main/agent/index.ts';
import { createLeafScaffold } from '../../src-main/agent/index.ts';
import type { SeedEntry, Workspace, WorkspaceLimits } from '../../src-main/workspaces/index.ts';
import { connectEngine, createOwner, openWorkspace } from '../../src-main/workspaces/index.ts';

const MIB = 1024 * 1024;

export const LIMITS: WorkspaceLimits = {
  memoryBytes: 512 * MIB,
  cpus: 2,
  pids: 128,
  diskBytes: 128 * MIB,
  inodes: 20_000,
};

export interface Leaf {
  workspace: Workspace;
  /** One call, as the loop would run it. */
  call(name: string, args: Record<string, unknown>, scaffold?: Scaffold): Promise<Observation>;
  /** Writes a file as it is, past the tools. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Bytes of a file. */
  bytes(path: string): Promise<Buffer>;
  /** Standard output of a shell command. */
  sh(command: string): Promise<string>;
  close(): Promise<void>;
}

/** A real workspace with these files, and the tools of Leaf (or of another scaffold) on it. */
export async function openLeaf(
  entries: SeedEntry[] = [],
  {
    scaffold: own = createLeafScaffold(),
    image = process.env['VIVARIUM_TEST_IMAGE'] ?? 'vivarium-base:latest',
  }: { scaffold?: Scaffold; image?: string } = {},
): Promise<Leaf> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-leaf-'));
  const owner = createOwner(home);
  let calls = 0;
  const workspace = await openWorkspace(await connectEngine(), {
    image,
    ...(own.root !== undefined && { root: own.root }),
    seed: seedOf(entries),
    limits: LIMITS,
    labels: { session: 'leaf-test', attempt: 'leaf-test' },
    owner,
  });
  return {
    workspace,
    call: (name, args, scaffold = own) =>
      scaffold.execute(
        { id: `call_${++calls}`, name, arguments: args },
        workspace,
        new AbortController().signal,
      ),
    put: async (file, content) => {
      await workspace.writeFile(file, Buffer.from(content as string));
    },
    bytes: async (file) => Buffer.from((await workspace.readFile(file))?.bytes ?? []),
    sh: async (command) => {
      const run = await workspace.run({ command, timeoutMs: 60_000 });
      if (run.exitCode !== 0) throw new Error(Buffer.from(run.stderr.head).toString());
      return Buffer.from(run.stdout.head).toString();
    },
    close: async () => {
      await workspace.close();
      await owner.dispose();
      await rm(home, { recursive: true });
    },
  };
}

async function* seedOf(entries: SeedEntry[]): AsyncGenerator<SeedEntry> {
  yield* entries;
}
