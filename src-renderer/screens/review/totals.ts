import type { Review, ReviewDecision, ReviewFile } from '../../../src-main/contract/index.ts';

export interface Totals {
  all: number;
  accepted: number;
  rejected: number;
  open: number;
  /** Accepted and open: what is left out is only what was rejected. */
  exported: number;
}

/** Decisions counted over pieces: hunks, and files that go as a whole. */
export function totalsOf(files: readonly ReviewFile[]): Totals {
  const totals: Totals = { all: 0, accepted: 0, rejected: 0, open: 0, exported: 0 };
  for (const { hunks } of files) {
    for (const { decision } of hunks) {
      totals.all += 1;
      totals[decision] += 1;
      if (decision !== 'rejected') totals.exported += 1;
    }
  }
  return totals;
}

/** What was decided of a file: `mixed` where its hunks differ. */
export function fileDecision({ hunks }: ReviewFile): ReviewDecision | 'mixed' {
  const [first, ...rest] = new Set(hunks.map(({ decision }) => decision));
  return rest.length > 0 ? 'mixed' : (first ?? 'open');
}

/** A decision on its way to the core. `ids` are pieces, or whole files by their number. */
export interface PendingDecision {
  ids: readonly string[];
  decision: ReviewDecision;
}

/** A review as it will be when all decisions on their way have arrived. */
export function withDecisions(review: Review, pending: readonly PendingDecision[]): Review {
  if (pending.length === 0) return review;
  const last = pending.map(({ ids, decision }) => ({ ids: new Set(ids), decision })).toReversed();
  const files = review.files.map((file, index) => {
    const whole = String(index);
    const decisionOn = (id: string) =>
      last.find(({ ids }) => ids.has(id) || ids.has(whole))?.decision;
    const hunks = file.hunks.map((hunk) => ({
      ...hunk,
      decision: decisionOn(hunk.id) ?? hunk.decision,
    }));
    const changed = hunks.some(({ decision }, at) => decision !== file.hunks[at]?.decision);
    return changed ? { ...file, hunks } : file;
  });
  return { ...review, files, partial: totalsOf(files).rejected > 0 };
}

/** Insertions and deletions of all files. */
export function changesOf(files: readonly ReviewFile[]): { insertions: number; deletions: number } {
  let insertions = 0;
  let deletions = 0;
  for (const file of files) {
    insertions += file.insertions ?? 0;
    deletions += file.deletions ?? 0;
  }
  return { insertions, deletions };
}
