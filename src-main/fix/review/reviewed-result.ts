import type { SessionResult } from '../../contract/index.ts';
import type { SessionSummary, Store } from '../../store/index.ts';
import { bodiesOf } from '../checkpoint.ts';
import { chooseAttempt, readAttempts, sessionResult } from '../result.ts';
import { openReview } from './open-review.ts';
import { selectionOf } from './selection.ts';

/** The result of a session, with the parts of its patch that a review rejected. */
export function reviewedResult(store: Store, summary: SessionSummary): SessionResult {
  const attempts = readAttempts(store, summary.sessionId);
  const result = sessionResult(store, summary, attempts);
  const decided = bodiesOf(chooseAttempt(attempts)?.events ?? [], 'review.decided');
  // A patch is only taken apart where somebody has rejected something.
  if (result.patch === null || !decided.some(({ decision }) => decision === 'rejected')) {
    return result;
  }
  const { rejected } = selectionOf(openReview(store, summary.sessionId));
  if (rejected.length === 0) return result;
  const parts = rejected.map(({ path, header }) => ({ path, header }));
  return { ...result, patch: { ...result.patch, rejected: parts } };
}
