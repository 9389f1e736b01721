import path from 'node:path';
import type { SessionResult } from '../contract/index.ts';
import {
  bodiesOf,
  chooseAttempt,
  exportLeaf,
  exportMbox,
  exportResult,
  patchBytes,
  readAttempts,
  recoverPatch,
  reviewedResult,
  settledSchema,
  startChanges,
} from '../fix/index.ts';
import { VivariumError } from '../lib/index.ts';
import { openSnapshot } from '../patch/index.ts';
import type { Environment } from './environment.ts';
import type { ExportFormat } from './types.ts';

/** The result of a session, interrupted ones included. */
export function result({ store }: Environment, session: string): SessionResult {
  return reviewedResult(store, store.session(session));
}

/** Bytes of the resulting patch, or of one attempt's; see `Core.patch`. */
export async function patch(
  environment: Environment,
  session: string,
  attemptId?: string,
): Promise<Uint8Array> {
  const { store } = environment;
  const { sessionId } = store.session(session);
  await recoverPatches(environment, sessionId);
  const attempts = readAttempts(store, sessionId);
  const attempt =
    attemptId === undefined
      ? chooseAttempt(attempts)
      : attempts.find(({ summary }) => summary.attemptId === attemptId);
  const bytes = attempt ? patchBytes(store, attempt) : new Uint8Array();
  if (bytes.length > 0) return bytes;
  throw new VivariumError(
    'nothing_to_export',
    `session ${sessionId} has no patch${attemptId === undefined ? '' : ` in attempt ${attemptId}`}: nothing was changed`,
    `See what happened with \`vivarium show ${sessionId} --steps\`.`,
  );
}

/** Writes the files of a session; see `Core.export`. */
export async function exportSession(
  environment: Environment,
  session: string,
  { out, format }: { out: string; format: ExportFormat },
): Promise<string[]> {
  const { store } = environment;
  const { sessionId } = store.session(session);
  await recoverPatches(environment, sessionId);
  const folder = path.resolve(out);
  if (format === 'mbox') return exportMbox(store, sessionId, folder);
  if (format === 'leaf') return exportLeaf(store, sessionId, folder);
  return exportResult(store, sessionId, { out: folder, home: environment.config.home });
}

/** Attempts that ended without a patch on record get that of their last checkpoint, once. */
export async function recoverPatches(
  { store, config }: Environment,
  sessionId: string,
): Promise<void> {
  const missing = readAttempts(store, sessionId).filter(
    ({ summary, patch: made }) => summary.exitReason !== null && summary.steps > 0 && !made,
  );
  if (missing.length === 0) return;
  const events = store.events({ sessionId });
  const created = bodiesOf(events, 'session.created').at(-1);
  const settled = settledSchema.safeParse(created?.request);
  const snapshot = await openSnapshot(config.home, sessionId);
  if (!settled.success || !snapshot) return;
  const { include } = settled.data;
  const start = startChanges(store, created);
  for (const { summary } of missing) {
    await recoverPatch({ sessionId, snapshot, include, start }, store, summary.attemptId);
  }
}
