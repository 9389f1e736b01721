import { runAttempt, type AttemptOutcome } from '../agent/index.ts';
import type { EventBody } from '../contract/index.ts';
import { messageOf } from '../lib/index.ts';
import { changesOfTree, mergeChanges, type Change } from '../patch/index.ts';
import type { Workspace } from '../workspaces/index.ts';
import { recordPatch, type FinalTree } from './attempt-patch.ts';
import { createCacheWatch } from './cache-watch.ts';
import { addUsage, readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { drivenBy } from './driving.ts';
import { MemoryWatch } from './memory-watch.ts';
import { createRecorder } from './recorder.ts';
import { serverGlimpses } from './server-glimpse.ts';
import { sessionWorkspace } from './session-workspace.ts';
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
  const appendLarge = async (body: EventBody, blobs: Uint8Array[] = []) =>
    append(body, await parts.store.keep(blobs));

  const start = job.resume ? readCheckpoint(parts.store, sessionId, attemptId) : null;
  append({
    type: 'attempt.started',
    number: job.number,
    seed: job.seed,
    owner: parts.owner,
    resumedFromStep: start?.steps ?? null,
  });
  const workspace = await openRecorded(plan, parts, job, start, append);
  const memory = new MemoryWatch(workspace, parts.model, (sample) =>
    parts.onProgress(progressOf(plan, job, { kind: 'memory', ...sample })),
  ).start();
  let outcome: AttemptOutcome;
  let tree: FinalTree;
  try {
    outcome = await runLoop(plan, parts, job, { workspace, memory, start });
    tree = await finalTree(parts, plan, job, workspace, start);
    // What judges it uses memory that is not the agent's.
    await memory.stop();
    await parts.beforeClose?.(workspace, outcome);
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
  return { outcome, changes: await recordPatch(plan, tree, appendLarge) };
}

/** The loop counts what this run spent; what was spent before a resume comes on top. */
function withEarlier(outcome: AttemptOutcome, start: Checkpoint | null): AttemptOutcome {
  if (start === null) return outcome;
  const { model, tools, total } = outcome.seconds;
  const waiting = (start.seconds.waiting ?? 0) + (outcome.seconds.waiting ?? 0);
  return {
    ...outcome,
    usage: addUsage(start.usage, outcome.usage),
    seconds: {
      model: start.seconds.model + model,
      tools: start.seconds.tools + tools,
      total: start.seconds.total + total,
      ...(waiting > 0 && { waiting }),
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
  start: Checkpoint | null,
  append: (body: EventBody) => unknown,
): Promise<Workspace> {
  parts.onProgress(progressOf(plan, job, { kind: 'phase', text: 'opening a workspace' }));
  const began = performance.now();
  try {
    const changes = mergeChanges(plan.start ?? [], start?.changes ?? []);
    const workspace = await parts.openWorkspace(
      sessionWorkspace(plan, { changes, label: job.attemptId, signal: job.signal }),
    );
    const { id, attestation } = workspace;
    const seconds = (performance.now() - began) / 1000;
    append({ type: 'workspace.opened', workspace: id, attestation, seconds });
    return workspace;
  } catch (error) {
    append(notStarted(messageOf(error), job.signal.aborted, start));
    throw error;
  }
}

/** An attempt that was to go on is cut off as it was before: its steps count, and it can go on later. */
function notStarted(detail: string, cancelled: boolean, start: Checkpoint | null): EventBody {
  const lost = start === null ? 'workspace_lost' : 'interrupted';
  return {
    type: 'attempt.finished',
    exitReason: cancelled ? 'cancelled' : lost,
    detail,
    steps: start?.steps ?? 0,
    finalMessage: null,
    usage: start?.usage ?? { promptTokens: null, completionTokens: null, cachedTokens: null },
    seconds: start?.seconds ?? { model: 0, tools: 0, total: 0 },
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
  const { sessionId } = plan;
  const scaffold = drivenBy(plan.scaffold, plan.driving ?? null);
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
    recordTokens: plan.recordTokens ?? false,
    recorder: createRecorder({
      store: parts.store,
      sessionId,
      attemptId: job.attemptId,
      workspace,
      memory,
      cache: createCacheWatch({
        store: parts.store,
        sessionId,
        glimpse: serverGlimpses(parts.store, parts.server ?? null),
      }),
      onActivity: (activity) => parts.onProgress(progressOf(plan, job, activity)),
      alreadyOpened: resumable,
    }),
    signal: job.signal,
    ...(resumable && {
      resume: { messages: start.messages, steps: start.steps, elapsedMs: start.elapsedMs },
    }),
  });
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
    // A workspace starts from snapshot + start + checkpoint: its changes come on top of those.
    const changes = mergeChanges(plan.start ?? [], start?.changes ?? [], tree.changes);
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
    return { changes: mergeChanges(plan.start ?? [], changes), refused, source: 'checkpoint' };
  }
}
