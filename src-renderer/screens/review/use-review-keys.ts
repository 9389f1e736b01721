import { useActionKey } from '../../shortcuts/use-action-key.ts';
import type { ReviewState } from './use-review-state.ts';

/**
 * Offers the keys of a review. Those that act at its mark, and those that a timeline beside it has,
 * too, only with `takesKeys`.
 */
export function useReviewKeys(
  state: ReviewState,
  { takesKeys, onExport }: { takesKeys: boolean; onExport: () => void },
): void {
  useActionKey('hunk.next', () => state.goChange(1), takesKeys);
  useActionKey('hunk.previous', () => state.goChange(-1), takesKeys);
  useActionKey('file.next', () => state.goFile(1));
  useActionKey('file.previous', () => state.goFile(-1));
  useActionKey('review.accept', () => state.decideHere('accepted'), takesKeys);
  useActionKey('review.reject', () => state.decideHere('rejected'), takesKeys);
  useActionKey('review.undo', () => state.decideHere('open'), takesKeys);
  useActionKey('review.note', state.noteHere, takesKeys);
  useActionKey('review.whitespace', () => state.setIgnoreSpace(!state.ignoreSpace));
  useActionKey('review.layout', () => state.setSplit(!state.view.split));
  useActionKey('review.export', onExport);
}
