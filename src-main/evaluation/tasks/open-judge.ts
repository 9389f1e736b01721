import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId, VivariumError } from '../../lib/index.ts';
import { removeSnapshot, seedEntries, snapshotOfTree, type Snapshot } from '../../patch/index.ts';
import type { OpenWorkspace, Workspace, WorkspaceLimits } from '../../workspaces/index.ts';
import { grade, gradeIn } from '../grading/grade.ts';
import type { Graded, GradeRequest } from '../grading/types.ts';
import { infraGrading } from '../grading/verdict.ts';
import { attemptWorkspace } from '../grading/workspace-options.ts';
import type { Judge, StateJudge } from './judge.ts';
import { taskTree, type ReadImage } from './task-tree.ts';
import type { Task } from './types.ts';

/** What judging needs of the machine. */
export interface JudgeParts {
  openWorkspace(options: OpenWorkspace): Promise<Workspace>;
  readImage: ReadImage;
  /** Local id of the image. @throws VivariumError `image_missing` */
  imageOf(task: Task): Promise<string>;
  limitsOf(task: Task): WorkspaceLimits;
  signal: AbortSignal;
}

/** What {@link withJudge} lends. */
export interface Judges {
  patch: Judge;
  state: StateJudge;
}

/**
 * Lends judges to `use`. The snapshot of the task judged last is kept, since a task is judged several
 * times in a row; all are gone at the end. What a workspace or an image lacks is a grading of its own
 * state, and no error.
 */
export async function withJudge<Result>(
  parts: JudgeParts,
  use: (judges: Judges) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(path.join(tmpdir(), 'vivarium-judge-'));
  const session = `check-${newId()}`;
  let kept: { hash: string; id: string; snapshot: Snapshot } | undefined;
  const snapshotOf = async (task: Task, image: string): Promise<Snapshot> => {
    if (kept?.hash === task.hash) return kept.snapshot;
    if (kept !== undefined) await removeSnapshot(home, kept.id);
    kept = undefined;
    const id = newId();
    const files = taskTree(task, image, parts.readImage);
    const options = { home, id, source: task.folder, signal: parts.signal };
    const snapshot = await snapshotOfTree(files, options);
    kept = { hash: task.hash, id, snapshot };
    return snapshot;
  };
  const placeOf = async (task: Task): Promise<Place> => {
    const image = await parts.imageOf(task);
    const labels = { session, attempt: task.name };
    return { image, snapshot: await snapshotOf(task, image), limits: parts.limitsOf(task), labels };
  };
  try {
    return await use({
      patch: (task, patch) =>
        orInfra(task, async () => gradePatch(task, patch, await placeOf(task), parts)),
      state: (task, withOracle) =>
        orInfra(task, async () => gradeState(task, withOracle, await placeOf(task), parts)),
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

type Place = Pick<GradeRequest, 'image' | 'snapshot' | 'limits' | 'labels'>;

async function orInfra(task: Task, work: () => Promise<Graded>): Promise<Graded> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VivariumError)) throw error;
    const reason = error.code === 'image_missing' ? 'image_missing' : 'container_unavailable';
    return { grading: infraGrading(task, reason, error.message), blobs: [] };
  }
}

function gradePatch(
  task: Task,
  changes: Uint8Array,
  place: Place,
  parts: JudgeParts,
): Promise<Graded> {
  const openWorkspace = (options: OpenWorkspace) => parts.openWorkspace(options);
  return grade({ task, ...place, changes, openWorkspace, signal: parts.signal });
}

/** Where Harbor puts the oracle's files. */
const SOLUTION = '/solution';
const ORACLE_MS = 1_800_000;

/** As an agent's container is judged; the oracle stands for the agent. */
async function gradeState(
  task: Task,
  withOracle: boolean,
  { snapshot, ...place }: Place,
  parts: JudgeParts,
): Promise<Graded> {
  const { signal } = parts;
  const own = attemptWorkspace(task);
  const workspace = await parts.openWorkspace({
    ...place,
    ...own,
    scratch: [...(own.scratch ?? []), SOLUTION],
    seed: seedEntries(snapshot, { signal }),
    signal,
  });
  try {
    if (withOracle) {
      await workspace.place(SOLUTION, entriesBelow(path.join(task.folder, 'solution')));
      const command = `if command -v bash >/dev/null; then bash ${SOLUTION}/solve.sh; else sh ${SOLUTION}/solve.sh; fi`;
      await workspace.run({ command, timeoutMs: task.agentTimeoutMs ?? ORACLE_MS, signal });
    }
    return await gradeIn(workspace, task, { signal });
  } finally {
    await workspace.close().catch(() => undefined);
  }
}

/** The files of a folder on disk; links and what is no file stay here. */
async function* entriesBelow(folder: string): OpenWorkspace['seed'] {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    yield { path: name, mode: '100755', content: await readFile(file) };
  }
}
