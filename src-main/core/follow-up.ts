import path from 'node:path';
import { loadScaffold } from '../agent/index.ts';
import type { EventOf, SessionResult } from '../contract/index.ts';
import {
  bodiesOf,
  followUpIssue,
  openReview,
  selectedBytes,
  settledSchema,
  startChanges,
  toRecorded,
  type OpenReview,
  type SessionPlan,
  type SettledRequest,
} from '../fix/index.ts';
import { newId, sha256, VivariumError } from '../lib/index.ts';
import { parseModelSpec } from '../models/index.ts';
import {
  changesOfPatch,
  copySnapshot,
  removeSnapshot,
  takeSnapshot,
  type Change,
  type Snapshot,
} from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import { chooseImage } from './choose-image.ts';
import { RESOURCES, type Environment } from './environment.ts';
import { noteAll, recordSession, type Beginning } from './fix.ts';
import { follow, runRecorded } from './run-recorded.ts';
import { openSessionModel } from './session-model.ts';
import { recoverPatches } from './sessions.ts';
import type { FixOptions } from './types.ts';

export interface FollowUpRequest {
  session: string;
  attempt: string;
  /** What a person says of the patch as a whole; may be empty where there are notes. */
  text: string;
}

/**
 * A new session with the settings of another one that goes on from what a review let through of its
 * patch. It has the same snapshot, and the patch is in the files of every workspace from the start;
 * its own patch is against the snapshot again, so that a human reviews one patch that holds both.
 * @throws VivariumError `nothing_to_export` without a patch, `usage` without a word on what to change
 */
export async function followUp(
  environment: Environment,
  request: FollowUpRequest,
  options: FixOptions,
): Promise<SessionResult> {
  const signal = options.signal ?? new AbortController().signal;
  const sessionId = newId();
  const phase = (text: string) =>
    options.onProgress?.({ sessionId, attemptId: null, attempt: 0, at: { kind: 'phase', text } });
  const before = await readBefore(environment, request);
  const { settled, review, created } = before;
  await chooseImage(await environment.engine(), created.repository, settled.image);
  const { model, notes } = await openSessionModel(environment, parseModelSpec(settled.model), {
    ...{ signal, phase },
    contextTokens: settled.maxContextTokens,
    parallel: settled.parallel,
  });
  const release = environment.onClose(() => model.close());
  const unfollow = follow(environment, sessionId, options);
  try {
    phase('taking the snapshot over');
    const began = performance.now();
    const { snapshot, start } = await beginningOf(environment, before, sessionId, signal);
    const seconds = (performance.now() - began) / 1000;
    const { issue, title, scaffold } = before;
    const { limits } = created;
    const plan: SessionPlan = {
      ...settled,
      ...{ sessionId, issue, title, snapshot, start, scaffold, limits },
    };
    const scaffoldFile = created.scaffold.file ?? created.scaffold.name;
    const facts = { settled, scaffoldFile, seconds, ...recordOf(review, start) };
    await recordSession(environment, plan, model, facts);
    noteAll(environment, sessionId, notes);
    options.onRecorded?.(sessionId);
    const fresh = Array.from({ length: plan.attempts }, (_, index) => index + 1);
    return await runRecorded(environment, plan, model, { fresh }, { ...options, signal });
  } finally {
    unfollow();
    release();
    await model.close();
  }
}

interface Before {
  sessionId: string;
  created: EventOf<'session.created'>;
  taken: EventOf<'snapshot.taken'>;
  settled: SettledRequest;
  scaffold: SessionPlan['scaffold'];
  review: OpenReview;
  issue: string;
  title: string;
}

/** All that is known of the session to follow, checked before anything is started or copied. */
async function readBefore(environment: Environment, request: FollowUpRequest): Promise<Before> {
  const { store } = environment;
  const { sessionId } = store.session(request.session);
  await recoverPatches(environment, sessionId);
  const review = openReview(store, sessionId, request.attempt);
  if (request.text.trim() === '' && review.notes.length === 0) {
    throw new VivariumError(
      'usage',
      'there is no word on what to change',
      'Write a note to a line, or say what is wrong with the patch.',
    );
  }
  const events = store.events({ sessionId });
  const created = bodiesOf(events, 'session.created').at(-1);
  const taken = bodiesOf(events, 'snapshot.taken').at(-1);
  const asked = settledSchema.safeParse(created?.request);
  if (created === undefined || taken === undefined || !asked.success) {
    throw new VivariumError(
      'store_failed',
      `the record of session ${sessionId} is not complete enough to go on from it`,
      'Start a new session with `vivarium fix`.',
    );
  }
  const file = created.scaffold.file ?? created.scaffold.name;
  const root = rootOf(store, created);
  return {
    ...{ sessionId, created, taken, review },
    // A person follows it in the app and exports it there.
    settled: { ...asked.data, out: null },
    scaffold: await loadScaffold(file, path.join(RESOURCES, 'scaffolds')),
    issue: followUpIssue(review, root.issue, request.text),
    title: root.title,
  };
}

/** Nobody follows up longer than this; a chain that is damaged into a ring ends. */
const LONGEST_CHAIN = 100;

/** Where a chain of follow-ups began: its issue says what is wrong, without older reviews. */
function rootOf(store: Store, created: EventOf<'session.created'>): EventOf<'session.created'> {
  let root = created;
  for (let link = 0; root.followUp !== undefined && link < LONGEST_CHAIN; link += 1) {
    const { sessionId } = root.followUp;
    const [before] = bodiesOf(store.events({ sessionId, limit: 1 }), 'session.created');
    if (before === undefined) break;
    root = before;
  }
  return root;
}

/**
 * Where a session that went on from a patch began, for one that does the same again: the same files,
 * with the same part of that patch in them. `null` for one that began with the repository.
 * @throws VivariumError `store_failed` when the record is not complete enough
 */
export function beginningAgain(environment: Environment, session: string): Beginning | null {
  const { store, config } = environment;
  const { sessionId } = store.session(session);
  const events = store.events({ sessionId });
  const created = bodiesOf(events, 'session.created').at(-1);
  const taken = bodiesOf(events, 'snapshot.taken').at(-1);
  const { followUp } = created ?? {};
  if (created === undefined || followUp === undefined) return null;
  return {
    title: created.title,
    async take(next, signal) {
      if (taken === undefined) throw snapshotGone(sessionId);
      const snapshot = await snapshotOf(environment, { sessionId, created, taken }, next, signal);
      try {
        return { snapshot, start: startChanges(store, created) };
      } catch (error) {
        await removeSnapshot(config.home, next);
        throw error;
      }
    },
    recorded(start) {
      const { changes, blobs } = toRecorded(start);
      return { followUp: { ...followUp, changes }, blobs };
    },
  };
}

/** The files that the new session begins with; nothing is left of them where that fails. */
async function beginningOf(
  environment: Environment,
  before: Before,
  sessionId: string,
  signal: AbortSignal,
): Promise<{ snapshot: Snapshot; start: Change[] }> {
  try {
    const snapshot = await snapshotOf(environment, before, sessionId, signal);
    const start = await changesOfPatch(snapshot, selectedBytes(before.review), { signal });
    signal.throwIfAborted();
    return { snapshot, start };
  } catch (error) {
    await removeSnapshot(environment.config.home, sessionId);
    throw error;
  }
}

/** A copy of the one before; where `clean` took it, a new one of a tree that is as it was. */
async function snapshotOf(
  { config: { home } }: Environment,
  { sessionId: from, created, taken }: Pick<Before, 'sessionId' | 'created' | 'taken'>,
  sessionId: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const copy = await copySnapshot(home, from, sessionId);
  if (copy !== undefined) return copy;
  const snapshot = await takeSnapshot(created.repository, { home, sessionId, signal });
  if (snapshot.tree === taken.tree) return snapshot;
  await removeSnapshot(home, sessionId);
  throw snapshotGone(from);
}

function snapshotGone(sessionId: string): VivariumError {
  return new VivariumError(
    'store_failed',
    `the snapshot of session ${sessionId} was removed, and its repository has changed since`,
    'Apply the patch to your working tree and start a new fix from there.',
  );
}

/** What the record keeps of where the session goes on from. */
function recordOf(review: OpenReview, start: readonly Change[]) {
  const { changes, blobs } = toRecorded(start);
  const { sessionId, attempt } = review;
  const { attemptId } = attempt.summary;
  const patch = sha256(selectedBytes(review));
  return { followUp: { sessionId, attemptId, patch, changes }, blobs };
}
