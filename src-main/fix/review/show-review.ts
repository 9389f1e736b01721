import type { Review, ReviewFile, ReviewFlag } from '../../contract/index.ts';
import type { PatchPart, PatchUnit } from '../../patch/index.ts';
import { decisionOn, isPartial, isRejected, type OpenReview } from './open-review.ts';

/** A file's part of the patch above this is cut for the screen; exports are never cut. */
export const SHOWN_BYTES = 2 * 1024 * 1024;

/** What can be seen of a review without looking at the user's repository. */
export type ShownReview = Omit<Review, 'appliesToWorkingTree' | 'appliesDetail'>;

/** A review in the form in which screens take it. */
export function showReview(review: OpenReview): ShownReview {
  const { attempt, parts } = review;
  // Looked up, not searched for: a patch may have thousands of files.
  const unitsOf = Map.groupBy(review.units, ({ part }) => part);
  const partAt = new Map(parts.map(({ path }, index) => [path, index]));
  const unitsAt = (path: string) => unitsOf.get(partAt.get(path) ?? -1) ?? [];
  return {
    session: review.sessionId,
    attempt: attempt.summary.attemptId,
    sha256: review.sha256,
    files: parts.map((part, index) => shownFile(review, part, unitsOf.get(index) ?? [])),
    flags: (attempt.patch?.flags ?? []).map((flag) => ({
      ...flag,
      exported: isFlagExported(review, unitsAt(flag.path), flag),
    })),
    leftOut: attempt.patch?.leftOut ?? [],
    notes: [...review.notes],
    verification: attempt.verification ?? null,
    partial: isPartial(review),
  };
}

function shownFile(review: OpenReview, part: PatchPart, units: readonly PatchUnit[]): ReviewFile {
  const { path, oldPath, status, kind, insertions, deletions } = part;
  return {
    ...{ path, oldPath, status, kind, insertions, deletions },
    hunks: units.map(({ id, hunk }) => ({
      id,
      header: hunk?.header ?? part.about,
      decision: decisionOn(review, id),
    })),
    ...shownText(part.bytes),
  };
}

/**
 * Bytes as text for people: what is not UTF-8 becomes U+FFFD, everything else stays, hidden
 * characters among it. Cut behind a whole line where there is one.
 */
export function shownText(bytes: Uint8Array, limit = SHOWN_BYTES): { text: string; cut: boolean } {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (bytes.length <= limit) return { text: decoder.decode(bytes), cut: false };
  const feed = bytes.lastIndexOf(10, limit - 1);
  const end = feed === -1 ? limit : feed + 1;
  // As a stream, a character that the cut goes through is left away instead of being damaged.
  return { text: decoder.decode(bytes.subarray(0, end), { stream: true }), cut: true };
}

/** Whether what a flag of a file with these units is about is still in the selected patch. */
function isFlagExported(
  review: OpenReview,
  units: readonly PatchUnit[],
  { line }: ReviewFlag,
): boolean {
  const place =
    line === null
      ? undefined
      : units.findLast(({ hunk }) => hunk !== undefined && hunk.newStart <= line);
  if (place !== undefined) return !isRejected(review, place.id);
  return units.some(({ id }) => !isRejected(review, id));
}
