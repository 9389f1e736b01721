import { isDeepStrictEqual } from 'node:util';
import { messageOf, VivariumError } from '../../lib/index.ts';
import { removeSnapshot } from '../../patch/index.ts';
import type { StoredCell } from '../../store/index.ts';
import type { OpenWorkspace, WorkspaceLimits } from '../../workspaces/index.ts';
import { blamePatch } from '../grading/blame-patch.ts';
import { gradeAgain } from '../grading/evidence-blobs.ts';
import { grade } from '../grading/grade.ts';
import type { Graded } from '../grading/types.ts';
import { emptyPatchGrading } from '../grading/verdict.ts';
import type { Task } from '../tasks/types.ts';
import { finishedBody, recordOf, workspaceLimits } from './cell-record.ts';
import { recordGrading } from './judge-cell.ts';
import { makeSnapshot, taskSnapshotId } from './task-snapshots.ts';
import type { RunParts } from './types.ts';

export interface RegradeParts extends Pick<
  RunParts,
  'home' | 'store' | 'signal' | 'openWorkspace' | 'imageTree' | 'imageOf'
> {
  /** Where they are given, the tests run anew; else the verdict is read from the logs on record. */
  limits: WorkspaceLimits | null;
}

type Outcome = { before: string; after: string } | { why: string };

/**
 * Makes the verdict of a cell again without a model. One that differs is put on record; the one before
 * stays there too. `why`: it could not be made.
 * @throws the signal's reason
 */
export async function regradeCell(
  cell: StoredCell,
  task: Task | undefined,
  parts: RegradeParts,
): Promise<Outcome> {
  const { attemptId } = cell;
  if (task === undefined) return { why: 'its task is not in the folder any more' };
  if (attemptId === null) return { why: 'it has no attempt' };
  let graded: Graded;
  try {
    const { limits } = parts;
    graded =
      limits === null ? await fromRecord(cell, task, parts) : await anew(cell, task, parts, limits);
  } catch (error) {
    parts.signal.throwIfAborted();
    if (!(error instanceof VivariumError) && !(error instanceof NotGradable)) throw error;
    return { why: messageOf(error) };
  }
  const before = cell.grading?.summary ?? 'no verdict';
  const after = graded.grading.summary;
  if (sameVerdict(cell, graded)) return { before, after: before };
  const record = recordOf(parts.store, cell.sessionId);
  await recordGrading(record, attemptId, graded, true);
  record.append(finishedBody(graded.grading, attemptId, cell.patch.files > 0));
  return { before, after };
}

class NotGradable extends Error {}

async function fromRecord(cell: StoredCell, task: Task, { store }: RegradeParts): Promise<Graded> {
  const { grading, patch } = cell;
  if (grading === null) throw new NotGradable('it has no verdict whose logs could be read');
  if (Object.keys(grading.evidence).length > 0)
    return { grading: await gradeAgain(task, grading, (hash) => store.blob(hash)), blobs: [] };
  if (grading.state === 'graded' && patch.files === 0)
    return { grading: emptyPatchGrading(task), blobs: [] };
  throw new NotGradable('no log of its verifier is on record');
}

async function anew(
  cell: StoredCell,
  task: Task,
  parts: RegradeParts,
  limits: WorkspaceLimits,
): Promise<Graded> {
  if (task.verifier.on === 'workspace')
    throw new NotGradable('its task is judged by a workspace that is gone');
  if (cell.patch.blob === null) return { grading: emptyPatchGrading(task), blobs: [] };
  const image = await parts.imageOf(task);
  // Not the run's own id: two gradings at once must not share what the first removes.
  const id = cell.sessionId;
  const snapshot = await makeSnapshot(id, task, image, parts);
  try {
    const request = {
      ...{ task, image, snapshot },
      openWorkspace: (options: OpenWorkspace) => parts.openWorkspace(options),
      limits: workspaceLimits({ limits }, task),
      labels: { session: cell.sessionId, attempt: `${cell.attemptId ?? ''}-regrade` },
      signal: parts.signal,
    };
    const graded = await grade({ ...request, changes: parts.store.blob(cell.patch.blob) });
    return (await blamePatch(request, graded, grade)) ?? graded;
  } finally {
    await removeSnapshot(parts.home, taskSnapshotId(id, task.name));
  }
}

/** By what counts, not by how long it took. */
function sameVerdict({ grading }: StoredCell, { grading: now }: Graded): boolean {
  const facts = (one: Graded['grading'] | null) =>
    one === null ? null : { ...one, seconds: 0, evidence: {}, infra: one.infra?.reason ?? null };
  return isDeepStrictEqual(facts(grading), facts(now));
}
