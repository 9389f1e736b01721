import type { ErrorCode, InfraReason } from '../../contract/index.ts';
import { keepAsInSnapshot } from '../../fix/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { changesOfPatch, seedEntriesAt, type Change } from '../../patch/index.ts';
import type { SeedEntry, Workspace } from '../../workspaces/index.ts';
import type { Task } from '../tasks/types.ts';
import { cleanScratch } from './clean-scratch.ts';
import { gradedOf } from './evidence-blobs.ts';
import { checkReader } from './read-swe-bench.ts';
import { runVerifier } from './run-verifier.ts';
import type { Graded, GradeRequest } from './types.ts';
import { infraGrading, notAppliedEvidence } from './verdict.ts';
import { gradingWorkspace } from './workspace-options.ts';

/**
 * Judges a patch in a workspace that nobody used before: the snapshot with the changes, protected
 * files as the snapshot has them, and the tests only now. What a person or a container did wrong is
 * a grading of its own state, see {@link Graded}; a patch that does not apply is a failed one.
 * @throws VivariumError `task_invalid` for a log parser that is not known; the signal's reason;
 * errors that are no VivariumError.
 */
export async function grade(request: GradeRequest): Promise<Graded> {
  const { task, signal } = request;
  signal.throwIfAborted();
  checkReader(task);
  const changes = await changesOf(request);
  if (changes === undefined) return gradedOf(task, notAppliedEvidence());
  const { kept, restored } = keepAsInSnapshot(changes, task.verifier.protect);
  return asInfra(task, signal, async () => {
    const workspace = await request.openWorkspace({
      ...gradingWorkspace(task),
      image: request.image,
      seed: seedOf(request, kept),
      limits: request.limits,
      labels: request.labels,
      signal,
    });
    return closing(workspace, async () => {
      const found = await runVerifier(workspace, task, signal);
      return gradedOf(task, { ...found, applied: true, planted: [], restored });
    });
  });
}

/**
 * Judges the state that an agent left in its own workspace, opened with `attemptWorkspace`. First
 * every process ends, then `/logs` and `/tests` are emptied (by the system's own programs, looked at
 * from outside), then the engine places the tests; they run without a login shell, in the
 * environment of the container and not of the agent's shell, and no process is left when the results
 * are read.
 *
 * What this cannot hold: the whole state counts, so what the tests themselves load from it can be
 * the agent's. Programs and libraries of the image (it is writable here), packages of Python in the
 * home folder, settings of a test runner in the folder it starts in. `planted` and the record of
 * commands show the attempts; a task whose tests must not trust the image is one on a patch.
 *
 * A process that the agent was to leave running (a server) is gone as well: a task that asks for one
 * cannot be solved here.
 *
 * The workspace stays open; its owner closes it.
 * @throws as {@link grade}.
 */
export async function gradeIn(
  workspace: Workspace,
  task: Task,
  { signal }: { signal: AbortSignal },
): Promise<Graded> {
  signal.throwIfAborted();
  checkReader(task);
  return asInfra(task, signal, async () => {
    await workspace.endProcesses();
    const planted = await cleanScratch(workspace);
    const found = await runVerifier(workspace, task, signal);
    return gradedOf(task, { ...found, applied: true, planted, restored: [] });
  });
}

/** `undefined` for a patch that does not apply. */
async function changesOf(request: GradeRequest): Promise<readonly Change[] | undefined> {
  if (!(request.changes instanceof Uint8Array)) return request.changes;
  try {
    return await changesOfPatch(request.snapshot, request.changes, { signal: request.signal });
  } catch (error) {
    if (error instanceof VivariumError && error.code === 'patch_invalid') return undefined;
    throw error;
  }
}

async function* seedOf(
  { snapshot, task, signal }: GradeRequest,
  changes: readonly Change[],
): AsyncGenerator<SeedEntry> {
  yield* seedEntriesAt(snapshot, changes, { signal });
  const base = baseCommit(task);
  if (base === undefined || base.length !== snapshot.startCommit.length) return;
  if (base === snapshot.startCommit) return;
  // Test scripts check files out of the commit that the task began with; its history is not here.
  const content = Buffer.from(`${snapshot.startCommit}\n`);
  yield { path: `.git/refs/replace/${base}`, mode: '100644', content };
}

function baseCommit(task: Task): string | undefined {
  const own: unknown = task.metadata['vivarium'];
  if (typeof own !== 'object' || own === null || !('base_commit' in own)) return undefined;
  const base = own.base_commit;
  return typeof base === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(base)
    ? base
    : undefined;
}

async function closing(workspace: Workspace, use: () => Promise<Graded>): Promise<Graded> {
  try {
    return await use();
  } finally {
    // A verdict counts even if the engine cannot remove its workspace now.
    await workspace.close().catch(() => undefined);
  }
}

const REASONS: Partial<Record<ErrorCode, InfraReason>> = {
  image_missing: 'image_missing',
  workspace_lost: 'workspace_lost',
};

/** A failure of the workspace says nothing of the patch. */
async function asInfra(
  task: Task,
  signal: AbortSignal,
  work: () => Promise<Graded>,
): Promise<Graded> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof VivariumError)) throw error;
    if (error.code === 'patch_invalid') return gradedOf(task, notAppliedEvidence());
    const reason = REASONS[error.code] ?? 'container_unavailable';
    return { grading: infraGrading(task, reason, error.message), blobs: [] };
  }
}
