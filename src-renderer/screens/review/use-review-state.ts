import { type RefObject, useMemo, useRef, useState } from 'react';
import type { Review } from '../../../src-main/contract/index.ts';
import { useAnnounce } from '../../services.ts';
import { reviewText } from '../../text/en/review.ts';
import { visibleLine } from '../../visible.ts';
import { type Cursor, idsAt, linesAt, nextChange, nextFile, nextLine } from './list/cursor.ts';
import type { DiffListHandle } from './list/diff-list.tsx';
import { type Row, rowsOf } from './list/rows.ts';
import { useOpenDraft } from './notes/open-draft.ts';
import { keyOf, newLineOf } from './patch/read-file.ts';
import type { NoteDraft, ReviewView } from './review-context.ts';
import { remembered, remember } from './remembered.ts';
import type { ReviewSource } from './use-review.ts';
import { useReadFiles } from './use-read-files.ts';

export interface ReviewState {
  view: ReviewView;
  rows: Row[];
  handle: RefObject<DiffListHandle | null>;
  ignoreSpace: boolean;
  setSplit: (split: boolean) => void;
  setIgnoreSpace: (ignore: boolean) => void;
  foldAll: (folded: boolean) => void;
  goChange: (by: 1 | -1) => void;
  goFile: (by: 1 | -1) => void;
  decideHere: (decision: 'accepted' | 'rejected' | 'open') => void;
  /** A note to the line that is marked, or to the first changed one of the hunk. */
  noteHere: () => void;
}

interface Surroundings {
  showLine: (line: string) => void;
  wide: boolean;
}

/** Everything a person sets while looking at a review. */
export function useReviewState(
  review: Review,
  source: ReviewSource,
  { showLine, wide }: Surroundings,
): ReviewState {
  const announce = useAnnounce();
  const read = useReadFiles(review);
  const [layout, setLayout] = useLayout(wide);
  const [ignoreSpace, setIgnoreSpace] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const [draft, setDraft] = useOpenDraft(review.attempt);
  const handle = useRef<DiffListHandle>(null);
  const split = layout === 'split';
  const rows = useRows(review, read, { split, ignoreSpace, folded });
  const go = (next: Cursor | null) => {
    if (next !== null) handle.current?.goTo(next);
  };
  const view: ReviewView = {
    ...{ review, read, split, cursor, folded, draft, setDraft, showLine },
    ...{ decide: source.decide, saveNote: source.saveNote, removeNote: source.removeNote },
    mark: setCursor,
    moveLine(by) {
      if (cursor === null) return;
      const next = nextLine(rows, cursor, by);
      go(next);
      const change = linesAt(rows, next).find((one) => keyOf(one) === next.line);
      if (change !== undefined) announce(visibleLine(change.content.slice(0, MOST_SPOKEN)));
    },
    fold: (file, fold) => setFolded((others) => withMember(others, file, fold)),
  };
  return {
    ...{ view, rows, handle, ignoreSpace, setIgnoreSpace },
    setSplit: (next) => setLayout(next ? 'split' : 'unified'),
    foldAll: (fold) => setFolded(new Set(fold ? review.files.keys() : [])),
    goChange: (by) => go(nextChange(rows, cursor, by)),
    goFile: (by) => go(nextFile(rows, cursor, by)),
    decideHere(decision) {
      const ids = idsAt(cursor);
      source.decide(ids, decision);
      if (ids.length > 0) announce(reviewText.decide.told[decision]);
    },
    noteHere() {
      const place = notePlace(review, rows, cursor);
      if (place !== null) setDraft(place);
    },
  };
}

const MOST_SPOKEN = 300;

type Layout = 'unified' | 'split';

/** Side by side needs the width; each has its own memory. */
function useLayout(wide: boolean): [Layout, (layout: Layout) => void] {
  const name = wide ? 'review.layout.wide' : 'review.layout';
  const usual: Layout = wide ? 'split' : 'unified';
  const [layout, setLayout] = useState<Layout>(() => {
    const kept = remembered(name);
    return kept === 'split' || kept === 'unified' ? kept : usual;
  });
  return [
    layout,
    (next) => {
      setLayout(next);
      remember(name, next);
    },
  ];
}

/** Decisions change nothing in the rows: only files that come or fold do. */
function useRows(
  review: Review,
  read: ReviewView['read'],
  { split, ignoreSpace, folded }: Parameters<typeof rowsOf>[2],
): Row[] {
  const { sha256 } = review;
  return useMemo(
    () => rowsOf(review.files, read, { split, ignoreSpace, folded }),
    // eslint-disable-next-line react/exhaustive-deps -- `sha256` stands for the files
    [sha256, read, split, ignoreSpace, folded],
  );
}

function notePlace(review: Review, rows: readonly Row[], cursor: Cursor | null): NoteDraft | null {
  const file = review.files[cursor?.file ?? 0];
  if (file === undefined) return null;
  const place = { path: file.path, line: null, id: null };
  if (cursor === null || cursor.unit === null) return place;
  const lines = linesAt(rows, cursor);
  const marked = lines.findIndex((change) => keyOf(change) === cursor.line);
  const from = marked === -1 ? lines.findIndex(({ type }) => type !== 'normal') : marked;
  // A line that is gone has no number in the new file: the next one that has takes its note.
  const after = lines
    .slice(Math.max(0, from))
    .map(newLineOf)
    .find((line) => line !== null);
  return {
    ...place,
    line: after ?? lines.map(newLineOf).findLast((line) => line !== null) ?? null,
  };
}

function withMember(set: ReadonlySet<number>, member: number, there: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (there) next.add(member);
  else next.delete(member);
  return next;
}
