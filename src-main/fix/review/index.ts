export { decide, note, removeNote } from './change-review.ts';
export { followUpIssue } from './follow-up-text.ts';
export { openReview, selectedBytes } from './open-review.ts';
export type { OpenReview } from './open-review.ts';
export { reviewedResult } from './reviewed-result.ts';
export { showReview } from './show-review.ts';
