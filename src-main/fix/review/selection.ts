import type { ReviewFlag, ReviewNote } from '../../contract/index.ts';
import { sha256 } from '../../lib/index.ts';
import { reviewFlags, splitPatch } from '../../patch/index.ts';
import { isPartial, isRejected, selectedBytes, type OpenReview } from './open-review.ts';

/** What a review made of a patch; part of the provenance and of reports. */
export interface Selection {
  partial: boolean;
  /** Of the whole patch, as the model left it. */
  wholeSha256: string;
  /** Pieces that are left out, as `@@` lines or git's words on the file. */
  rejected: { id: string; path: string; header: string }[];
  notes: readonly ReviewNote[];
}

/** What is known of the bytes that leave the house; shaped as the facts of a whole patch. */
export interface SelectedFacts {
  sha256: string;
  files: {
    path: string;
    status: 'added' | 'modified' | 'deleted';
    insertions: number | null;
    deletions: number | null;
  }[];
  insertions: number;
  deletions: number;
  flags: ReviewFlag[];
}

export function selectionOf(review: OpenReview): Selection {
  const rejected = review.units.filter(({ id }) => isRejected(review, id));
  return {
    partial: isPartial(review),
    wholeSha256: review.sha256,
    rejected: rejected.map(({ id, part, hunk }) => ({
      id,
      path: review.parts[part]?.path ?? '',
      header: hunk?.header ?? review.parts[part]?.about ?? '',
    })),
    notes: review.notes,
  };
}

/** The facts of the selected bytes; those of the record when nothing was left out. */
export function selectedFacts(review: OpenReview): SelectedFacts {
  const whole = review.attempt.patch;
  if (whole !== undefined && !isPartial(review)) {
    const { files, insertions, deletions, flags } = whole;
    return { sha256: review.sha256, files, insertions, deletions, flags };
  }
  const bytes = selectedBytes(review);
  const files = splitPatch(bytes).map(({ path, status, insertions, deletions }) => ({
    path,
    // Our own patches hold no renames.
    status: status === 'renamed' ? ('modified' as const) : status,
    insertions,
    deletions,
  }));
  const sum = (key: 'insertions' | 'deletions') =>
    files.reduce((total, file) => total + (file[key] ?? 0), 0);
  return {
    sha256: sha256(bytes),
    files,
    insertions: sum('insertions'),
    deletions: sum('deletions'),
    flags: reviewFlags(bytes),
  };
}

/** One line for people; `null` when nothing was left out. */
export function selectionLine(review: OpenReview): string | null {
  if (!isPartial(review)) return null;
  const { rejected } = selectionOf(review);
  const all = review.units.length;
  return `${all - rejected.length} of ${all} parts of the proposed patch; the others were rejected in review. Verification is of the whole patch.`;
}
