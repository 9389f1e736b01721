export { decide, note, removeNote } from './change-review.ts';
export {
  decisionOn,
  isPartial,
  isRejected,
  openReview,
  requireSelected,
  selectedBytes,
} from './open-review.ts';
export type { OpenReview } from './open-review.ts';
export { showReview } from './show-review.ts';
