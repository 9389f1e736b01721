import type {
  Activity,
  AttemptRecorder,
  Observation,
  Opening,
  StepRecord,
} from '../agent/index.ts';
import type { EventOf } from '../contract/index.ts';
import { sha256, VivariumError } from '../lib/index.ts';
import { changesOfTree } from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import type { CapturedOutput, TreeChanges, Workspace } from '../workspaces/index.ts';
import type { CacheWatch } from './cache-watch.ts';
import { toRecorded } from './checkpoint.ts';
import type { MemoryWatch } from './memory-watch.ts';
import { tokensBlob } from './turn-tokens.ts';

const NOTHING: TreeChanges = { written: [], deleted: [], refused: [] };

export interface RecorderParts {
  store: Store;
  sessionId: string;
  attemptId: string;
  workspace: Workspace;
  memory: MemoryWatch;
  cache: CacheWatch;
  onActivity: (activity: Activity) => void;
  /** A resumed attempt has its opening on record already. */
  alreadyOpened: boolean;
}

/** Writes each step with its checkpoint in one transaction, so that a crash costs at most one step. */
export function createRecorder(parts: RecorderParts): AttemptRecorder {
  const { store, sessionId, attemptId } = parts;
  return {
    activity: parts.onActivity,
    opened(opening: Opening) {
      if (!parts.alreadyOpened) {
        const body = { type: 'attempt.opened' as const, ...opening };
        store.append({ sessionId, attemptId, body });
      }
      return Promise.resolve();
    },
    async step(record: StepRecord) {
      const { tree, lost } = await collectChanges(parts.workspace, record.observations);
      const reported = changesOfTree(tree);
      const { changes, blobs } = toRecorded(reported.changes);
      const { messages, step, finish, usage, timings, retries } = record;
      const tokens = record.tokens === undefined ? null : tokensBlob(record.tokens);
      if (tokens !== null) blobs.push(tokens);
      const body: EventOf<'step.finished'> = {
        type: 'step.finished',
        ...{ step, messages, finish, usage, timings, retries, changes, refused: reported.leftOut },
        ...(tokens !== null && { tokens: sha256(tokens) }),
        observations: record.observations.map((observation) => ({
          ...recorded(observation, blobs),
          ...argumentsInText(observation, record),
        })),
        memory: parts.memory.last,
        notes: lost ? [...record.notes, lost.message] : record.notes,
      };
      store.append({ sessionId, attemptId, body, blobs: await store.keep(blobs) });
      const text = parts.cache.afterStep(record);
      if (text !== null) {
        store.append({ sessionId, attemptId, body: { type: 'note', level: 'warning', text } });
        parts.onActivity({ kind: 'note', step, text });
      }
      if (lost) throw lost;
    },
  };
}

/** Without them nobody could see what was called: a call in text is no part of the message's calls. */
function argumentsInText(
  { callId }: Observation,
  { calls, messages }: StepRecord,
): { arguments?: string } {
  const isApart = messages.some(
    (message) =>
      message.role === 'assistant' && message.toolCalls?.some(({ id }) => id === callId) === true,
  );
  const call = calls.find(({ id }) => id === callId);
  return isApart || call === undefined ? {} : { arguments: call.arguments };
}

/** The step is kept even when the workspace was lost under it; only its checkpoint is empty then. */
async function collectChanges(
  workspace: Workspace,
  observations: readonly Observation[],
): Promise<{ tree: TreeChanges; lost: VivariumError | null }> {
  if (!observations.some((observation) => observation.mutated))
    return { tree: NOTHING, lost: null };
  try {
    return { tree: await workspace.exportChanges(), lost: null };
  } catch (error) {
    if (!(error instanceof VivariumError) || error.code !== 'workspace_lost') throw error;
    return { tree: NOTHING, lost: error };
  }
}

function recorded(
  { callId, tool, isError, durationMs, notes, run }: Observation,
  blobs: Uint8Array[],
): EventOf<'step.finished'>['observations'][number] {
  const plain = { callId, tool, isError, durationMs, notes };
  if (!run) return plain;
  const { exitCode, signal, timedOut, outOfMemory } = run;
  const stdout = output(run.stdout, blobs);
  const stderr = output(run.stderr, blobs);
  return { ...plain, run: { exitCode, signal, timedOut, outOfMemory, stdout, stderr } };
}

function output(captured: CapturedOutput, blobs: Uint8Array[]) {
  blobs.push(captured.head);
  if (captured.tail.length > 0) blobs.push(captured.tail);
  return {
    bytes: captured.totalBytes,
    head: sha256(captured.head),
    tail: captured.tail.length > 0 ? sha256(captured.tail) : null,
  };
}
