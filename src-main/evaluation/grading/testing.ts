import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SMALL_LIMITS, TEST_IMAGE, type Bench } from '../../../test/support/workspaces.ts';
import { snapshotOfTree, type Change, type Snapshot } from '../../patch/index.ts';
import { openWorkspace, type OpenWorkspace } from '../../workspaces/index.ts';
import type { Task, TaskVerifier } from '../tasks/types.ts';
import type { GradeRequest } from './types.ts';

/** A task whose `tests/` are these files; the folder goes with `dispose`. */
export function testTask(
  tests: Readonly<Record<string, string>>,
  verifier: Partial<TaskVerifier> = {},
  more: Partial<Task> = {},
): { task: Task; dispose: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vivarium-task-'));
  for (const [name, content] of Object.entries(tests)) {
    const file = path.join(folder, 'tests', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const task: Task = {
    name: 'demo',
    folder,
    instruction: 'Fix it.',
    image: { reference: TEST_IMAGE, dockerfile: null },
    tree: { kind: 'archive', file: 'unused' },
    workdir: '/workspace',
    limits: { cpus: null, memoryBytes: null, diskBytes: null },
    agentTimeoutMs: null,
    wantsNetwork: false,
    verifier: {
      on: 'patch',
      timeoutMs: 60_000,
      env: {},
      reader: { kind: 'reward' },
      protect: [],
      ...verifier,
    },
    expected: null,
    metadata: {},
    hash: 'hash-of-demo',
    ...more,
  };
  return { task, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A snapshot of these files, in the data folder of the bench. */
export function snapshotOf(
  bench: Bench,
  files: Readonly<Record<string, string>>,
  id: string,
): Promise<Snapshot> {
  const items = Object.entries(files).map(([name, content]) => ({
    path: name,
    mode: '100644' as const,
    content: Buffer.from(content),
  }));
  return snapshotOfTree(items, { home: bench.home, id, source: '/task' });
}

/** Files written by a patch. */
export function written(files: Readonly<Record<string, string>>): Change[] {
  return Object.entries(files).map(([name, content]) => ({
    path: name,
    kind: 'file',
    executable: false,
    content: Buffer.from(content),
  }));
}

export function requestOf(
  bench: Bench,
  task: Task,
  snapshot: Snapshot,
  changes: GradeRequest['changes'],
): GradeRequest {
  return {
    task,
    snapshot,
    changes,
    image: TEST_IMAGE,
    openWorkspace: (options: OpenWorkspace) =>
      openWorkspace(bench.engine, { ...options, owner: bench.owner }),
    limits: SMALL_LIMITS,
    labels: { session: 'grading', attempt: 'grading' },
    signal: new AbortController().signal,
  };
}
