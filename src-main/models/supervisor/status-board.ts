import { processIdentity } from '../../lib/index.ts';
import type { ServerStatus, StartServer } from '../servers/types.ts';
import type { ServerFiles, ServerProof, ServerRecord } from './files.ts';
import { writeRecord, writeStopped } from './files.ts';
import { canPass } from './transitions.ts';

/** The state of one server: one writer, any number of readers. */
export interface StatusBoard {
  status(): ServerStatus;
  /** Changes members and tells everyone; a change of `state` follows the table of transitions. */
  update(change: Partial<Omit<ServerStatus, 'since'>>): void;
  prove(proof: ServerProof | null): void;
  subscribe(listener: (status: ServerStatus) => void): () => void;
}

export const NO_SERVER: Omit<ServerStatus, 'name'> = {
  state: 'stopped',
  since: 0,
  progress: null,
  engine: '',
  version: null,
  owner: null,
  ownerKind: null,
  pid: null,
  address: null,
  servedName: null,
  contextTokens: null,
  sequences: null,
  plan: null,
  memory: null,
  timings: null,
  restarts: 0,
  failure: null,
  logFile: null,
  users: 0,
};

/** A server whose start begins. */
export function firstStatus(request: StartServer, files: ServerFiles): ServerStatus {
  const { profile, engine, plan, ownerKind } = request;
  return {
    ...NO_SERVER,
    name: profile.name,
    state: 'planning',
    since: Date.now(),
    progress: 'looking for the engine',
    engine: engine.id,
    owner: processIdentity(),
    ownerKind,
    contextTokens: plan.contextTokens,
    sequences: plan.sequences,
    plan,
    logFile: files.log,
  };
}

/** What other processes may see at most so often changes only in its progress. */
const PROGRESS_WRITE_MS = 250;

export function createStatusBoard(files: ServerFiles, first: ServerStatus): StatusBoard {
  let status = first;
  let proof: ServerProof | null = null;
  let writtenAt = 0;
  let lateWrite: NodeJS.Timeout | undefined;
  const listeners = new Set<(status: ServerStatus) => void>();

  const write = (): void => {
    clearTimeout(lateWrite);
    lateWrite = undefined;
    writtenAt = Date.now();
    const record: ServerRecord = { ...status, proof };
    if (status.state === 'stopped') return writeStopped(files, record);
    try {
      writeRecord(files, record);
    } catch {
      // A full disk hides the state from other processes; the server itself goes on.
    }
  };
  const writeSoon = (): void => {
    const waitMs = writtenAt + PROGRESS_WRITE_MS - Date.now();
    if (waitMs <= 0) return write();
    lateWrite ??= setTimeout(write, waitMs).unref();
  };
  write();
  return {
    status: () => status,
    update: (change) => {
      const next = { ...status, ...change };
      if (!differs(status, next)) return;
      if (next.state !== status.state) {
        if (!canPass(status.state, next.state)) {
          throw new Error(`A server cannot go from ${status.state} to ${next.state}.`);
        }
        next.since = Date.now();
      }
      const onlyProgress = !differs({ ...status, progress: null }, { ...next, progress: null });
      status = next;
      if (onlyProgress) writeSoon();
      else write();
      for (const listener of listeners) listener(status);
    },
    prove: (next) => {
      proof = next;
      write();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Members are replaced, never changed in place. */
function differs(a: ServerStatus, b: ServerStatus): boolean {
  return (Object.keys(b) as (keyof ServerStatus)[]).some((key) => a[key] !== b[key]);
}
