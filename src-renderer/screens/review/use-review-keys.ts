import type { KeyboardEvent } from 'react';
import { useActionKey } from '../../shortcuts/use-action-key.ts';
import type { ReviewState } from './use-review-state.ts';

/** Offers the keys of a review; returns those that act only while the focus is inside it. */
export function useReviewKeys(
  state: ReviewState,
  { onExport }: { onExport: () => void },
): (event: KeyboardEvent) => void {
  useActionKey('hunk.next', () => state.goChange(1));
  useActionKey('hunk.previous', () => state.goChange(-1));
  useActionKey('file.next', () => state.goFile(1));
  useActionKey('file.previous', () => state.goFile(-1));
  useActionKey('review.accept', () => state.decideHere('accepted'));
  useActionKey('review.reject', () => state.decideHere('rejected'));
  useActionKey('review.undo', () => state.decideHere('open'));
  useActionKey('review.note', state.noteHere);
  useActionKey('review.whitespace', () => state.setIgnoreSpace(!state.ignoreSpace));
  useActionKey('review.layout', () => state.setSplit(!state.view.split));
  useActionKey('review.export', onExport);
  return (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (target instanceof Element && target.closest(FIELDS) !== null) return;
    if (event.key !== 'n' && event.key !== 'p') return;
    event.preventDefault();
    state.goChange(event.key === 'n' ? 1 : -1);
  };
}

/** Dialogs are drawn elsewhere on the page, but their events pass here. */
const FIELDS = 'input, textarea, select, [role="dialog"], [role="menu"], [role="listbox"]';
