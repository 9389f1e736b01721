import type { EventOf } from '../contract/index.ts';
import type { Change } from '../patch/index.ts';
import type { Store } from '../store/index.ts';
import { load } from './checkpoint.ts';

/**
 * What every workspace of a session starts with on top of its snapshot: of a follow-up the patch it
 * goes on from, of others nothing.
 */
export function startChanges(
  store: Store,
  created: EventOf<'session.created'> | undefined,
): Change[] {
  return (created?.followUp?.changes ?? []).map((change) => load(store, change));
}
