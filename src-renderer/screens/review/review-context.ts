import { createContext, useContext } from 'react';
import type { Review } from '../../../src-main/contract/index.ts';
import type { Cursor } from './list/cursor.ts';
import type { ReadFile } from './patch/read-file.ts';
import type { ReviewSource } from './use-review.ts';

/** A note that is being written: to a line, or (`line` null) to a file. */
export interface NoteDraft {
  path: string;
  line: number | null;
  /** Set while an older one is changed. */
  id: string | null;
}

export interface ReviewView {
  review: Review;
  read: readonly (ReadFile | undefined)[];
  decide: ReviewSource['decide'];
  saveNote: ReviewSource['saveNote'];
  removeNote: ReviewSource['removeNote'];
  split: boolean;
  cursor: Cursor | null;
  /** Moves the keyboard's mark without scrolling: what was pressed is in sight. */
  mark: (cursor: Cursor) => void;
  /** Moves the mark to the next or previous line of its hunk. */
  moveLine: (by: 1 | -1) => void;
  folded: ReadonlySet<number>;
  fold: (file: number, folded: boolean) => void;
  draft: NoteDraft | null;
  setDraft: (draft: NoteDraft | null) => void;
  showLine: (line: string) => void;
}

export const ReviewContext = createContext<ReviewView | null>(null);

export function useReviewView(): ReviewView {
  const view = useContext(ReviewContext);
  if (view === null) throw new Error('no review around this component');
  return view;
}
