import type { EventBody } from '../contract/index.ts';
import { makePatch, mergeChanges, type Change, type LeftOut } from '../patch/index.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { SessionParts, SessionPlan } from './types.ts';

/** What an attempt made of the snapshot, and where that was read. */
export interface FinalTree {
  changes: Change[];
  refused: LeftOut[];
  source: 'live' | 'checkpoint';
}

type PatchPlan = Pick<SessionPlan, 'sessionId' | 'snapshot' | 'include' | 'start'>;

/** Makes and records the patch; returns those changes that are in it. */
export async function recordPatch(
  plan: PatchPlan,
  { changes, refused, source }: FinalTree,
  append: (body: EventBody, blobs?: Uint8Array[]) => Promise<unknown>,
): Promise<Change[]> {
  const made = await makePatch(plan.snapshot, changes, { include: plan.include, leftOut: refused });
  const { bytes, ...facts } = made;
  const empty = made.files.length === 0;
  await append(
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
  const { changes: made, refused } = readCheckpoint(store, sessionId, attemptId);
  const changes = mergeChanges(plan.start ?? [], made);
  const append = async (body: EventBody, blobs: Uint8Array[] = []) =>
    store.append({ sessionId, attemptId, body, blobs: await store.keep(blobs) });
  await recordPatch(plan, { changes, refused, source: 'checkpoint' }, append);
}
