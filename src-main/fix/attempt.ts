import { runAttempt, type AttemptOutcome } from '../agent/index.ts';
import type { EventBody } from '../contract/index.ts';
import { messageOf } from '../lib/index.ts';
import {
  changesOfTree,
  makePatch,
  mergeChanges,
  seedEntriesAt,
  type Change,
  type LeftOut,
} from '../patch/index.ts';
import type { Workspace } from '../workspaces/index.ts';
import { addUsage, readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { MemoryWatch } from './memory-watch.ts';
import { createRecorder } from './recorder.ts';
import type { SessionParts, SessionPlan } from './types.ts';

export interface AttemptJob {
  attemptId: string;
  /** 1-based within the session. */
  number: number;
  seed: number;
  /** Go on from the record instead of beginning. */
  resume: boolean;
  /** Ends this attempt only (a sibling was verified first). */
  signal: AbortSignal;
}

/** What an attempt came to; all of it is on record when this is returned. */
export interface AttemptEnd {
  outcome: AttemptOutcome;
  /** The patch as changes against the snapshot; empty when there is none. */
  changes: Change[];
}

/**
 * One attempt from fresh workspace to recorded patch. Every ending is recorded with a patch: read from
 * the workspace if it still stands, else from the last checkpoint.
 * @throws VivariumError when no workspace could be opened (recorded as `workspace_lost`) or the store fails.
 */
export async function performAttempt(
  plan: SessionPlan,
  parts: SessionParts,
  job: AttemptJob,
): Promise<AttemptEnd> {
  const { sessionId } = plan;
  const { attemptId } = job;
  const append = (body: EventBody, blobs: Uint8Array[] = []) =>
    parts.store.append({ sessionId, attemptId, body, blobs });

  const start = job.resume ? readCheckpoint(parts.store, sessionId, attemptId) : null;
  append({
    type: 'attempt.started',
    number: job.number,
    seed: job.seed,
    owner: parts.owner,
    resumedFromStep: start?.steps ?? null,
  });
  const workspace = await openRecorded(plan, parts, job, start?.changes ?? [], append);
  const memory = new MemoryWatch(workspace, parts.model.pid, (sample) =>
    parts.onProgress(progressOf(plan, job, { kind: 'memory', ...sample })),
  ).start();
  let outcome: AttemptOutcome;
  let tree: FinalTree;
  try {
    outcome = await runLoop(plan, parts, job, { workspace, memory, start });
    tree = await finalTree(parts, plan, job, workspace, start);
  } finally {
    await memory.stop();
    // What can't be removed now (the engine is restarting) is reaped later: no reason to lose the rest.
    await workspace.close().catch((error: unknown) => {
      const text = `the workspace could not be removed yet: ${messageOf(error)}`;
      append({ type: 'note', level: 'warning', text });
    });
  }
  append({
    type: 'attempt.finished',
    ...withEarlier(outcome, start),
    peakMemoryBytes: memory.peakWorkspaceBytes,
  });
  return { outcome, changes: await recordPatch(plan, tree, append) };
}

/** The loop counts what this run spent; what was spent before a resume comes on top. */
function withEarlier(outcome: AttemptOutcome, start: Checkpoint | null): AttemptOutcome {
  if (start === null) return outcome;
  const { model, tools, total } = outcome.seconds;
  return {
    ...outcome,
    usage: addUsage(start.usage, outcome.usage),
    seconds: {
      model: start.seconds.model + model,
      tools: start.seconds.tools + tools,
      total: start.seconds.total + total,
    },
  };
}

function progressOf<T>(plan: SessionPlan, job: AttemptJob, at: T) {
  return { sessionId: plan.sessionId, attemptId: job.attemptId, attempt: job.number, at };
}

async function openRecorded(
  plan: SessionPlan,
  parts: SessionParts,
  job: AttemptJob,
  changes: Change[],
  append: (body: EventBody) => unknown,
): Promise<Workspace> {
  parts.onProgress(progressOf(plan, job, { kind: 'phase', text: 'opening a workspace' }));
  const began = performance.now();
  try {
    const workspace = await parts.openWorkspace({
      image: plan.image,
      ...(plan.runtime !== null && { runtime: plan.runtime }),
      seed: seedEntriesAt(plan.snapshot, changes),
      limits: plan.limits,
      labels: { session: plan.sessionId, attempt: job.attemptId },
      signal: job.signal,
    });
    const { id, attestation } = workspace;
    const seconds = (performance.now() - began) / 1000;
    append({ type: 'workspace.opened', workspace: id, attestation, seconds });
    return workspace;
  } catch (error) {
    append(notStarted(messageOf(error), job.signal.aborted));
    throw error;
  }
}

function notStarted(detail: string, cancelled: boolean): EventBody {
  return {
    type: 'attempt.finished',
    exitReason: cancelled ? 'cancelled' : 'workspace_lost',
    detail,
    steps: 0,
    finalMessage: null,
    usage: { promptTokens: null, completionTokens: null, cachedTokens: null },
    seconds: { model: 0, tools: 0, total: 0 },
    peakMemoryBytes: null,
  };
}

interface Running {
  workspace: Workspace;
  memory: MemoryWatch;
  start: Checkpoint | null;
}

function runLoop(
  plan: SessionPlan,
  parts: SessionParts,
  job: AttemptJob,
  { workspace, memory, start }: Running,
): Promise<AttemptOutcome> {
  const { sessionId, scaffold } = plan;
  const resumable = start !== null && start.messages.length > 0;
  return runAttempt({
    task: { instruction: plan.issue },
    scaffold,
    chat: parts.model.chat,
    workspace,
    limits: {
      ...scaffold.limits,
      maxSteps: plan.maxSteps,
      maxContextTokens: plan.maxContextTokens,
      timeLimitMs: plan.timeLimitMs,
    },
    contextTokens: parts.model.info.contextTokens,
    seed: job.seed,
    recorder: createRecorder({
      store: parts.store,
      sessionId,
      attemptId: job.attemptId,
      workspace,
      memory,
      onActivity: (activity) => parts.onProgress(progressOf(plan, job, activity)),
      alreadyOpened: resumable,
    }),
    signal: job.signal,
    ...(resumable && {
      resume: { messages: start.messages, steps: start.steps, elapsedMs: start.elapsedMs },
    }),
  });
}

interface FinalTree {
  changes: Change[];
  refused: LeftOut[];
  source: 'live' | 'checkpoint';
}

/** The workspace's tree against the snapshot, or the last checkpoint where the workspace is gone. */
async function finalTree(
  parts: SessionParts,
  plan: SessionPlan,
  job: AttemptJob,
  workspace: Workspace,
  start: Checkpoint | null,
): Promise<FinalTree> {
  try {
    const tree = changesOfTree(await workspace.exportTree());
    // A resumed workspace started from snapshot + checkpoint: its changes come on top of those.
    const changes = mergeChanges(start?.changes ?? [], tree.changes);
    return { changes, refused: tree.leftOut, source: 'live' };
  } catch (error) {
    const text = `the workspace could not be read at the end (${messageOf(error)}); the patch is that of the last checkpoint`;
    const { sessionId } = plan;
    const { attemptId } = job;
    parts.store.append({
      sessionId,
      attemptId,
      body: { type: 'note', level: 'warning', text },
    });
    const { changes, refused } = readCheckpoint(parts.store, sessionId, attemptId);
    return { changes, refused, source: 'checkpoint' };
  }
}

type PatchPlan = Pick<SessionPlan, 'sessionId' | 'snapshot' | 'include'>;

/** Makes and records the patch; returns those changes that are in it. */
async function recordPatch(
  plan: PatchPlan,
  { changes, refused, source }: FinalTree,
  append: (body: EventBody, blobs?: Uint8Array[]) => unknown,
): Promise<Change[]> {
  const made = await makePatch(plan.snapshot, changes, { include: plan.include, leftOut: refused });
  const { bytes, ...facts } = made;
  const empty = made.files.length === 0;
  append(
    { type: 'patch.made', ...facts, blob: empty ? null : made.sha256, source },
    empty ? [] : [bytes],
  );
  const inPatch = new Set(made.files.map((file) => file.path));
  return changes.filter((change) => inPatch.has(change.path));
}

/**
 * Makes the patch of an attempt that never came to its end (the app was killed) from its last
 * checkpoint. Nothing is done when the attempt has its patch already.
 */
export async function recoverPatch(
  plan: PatchPlan,
  store: SessionParts['store'],
  attemptId: string,
): Promise<void> {
  const { sessionId } = plan;
  const recorded = store.events({ sessionId, attemptId });
  if (recorded.some((event) => event.body.type === 'patch.made')) return;
  const { changes, refused } = readCheckpoint(store, sessionId, attemptId);
  const append = (body: EventBody, blobs: Uint8Array[] = []) =>
    store.append({ sessionId, attemptId, body, blobs });
  await recordPatch(plan, { changes, refused, source: 'checkpoint' }, append);
}
