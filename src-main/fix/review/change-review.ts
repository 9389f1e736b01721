import type { ReviewDecision, ReviewNote } from '../../contract/index.ts';
import { newId, VivariumError } from '../../lib/index.ts';
import { coupledParts } from '../../patch/index.ts';
import type { Store } from '../../store/index.ts';
import type { OpenReview } from './open-review.ts';

/** Longer than anything a person types to one line; keeps a paste from filling the record. */
const MAX_NOTE_CHARACTERS = 20_000;

/**
 * Records a decision on pieces, and on all that can only go together with them. Ids of files stand
 * for all of their hunks.
 * @throws VivariumError `usage` for an id that the patch does not have.
 */
export function decide(
  store: Store,
  review: OpenReview,
  ids: readonly string[],
  decision: ReviewDecision,
): void {
  const hunks = new Set<string>();
  const coupled = coupledParts(review.parts);
  const unitsOf = Map.groupBy(review.units, ({ part }) => part);
  const byId = new Map(review.units.map((unit) => [unit.id, unit]));
  for (const id of ids) {
    const unit = byId.get(id);
    // The id of a file stands for all of it; only whole numbers name one.
    const part = unit?.part ?? (/^\d+$/.test(id) ? Number(id) : -1);
    const together = coupled[part] ?? [];
    if (together.length === 0) throw unknownPiece(id);
    if (unit !== undefined && together.length === 1) hunks.add(id);
    else for (const one of together) for (const each of unitsOf.get(one) ?? []) hunks.add(each.id);
  }
  const body = {
    type: 'review.decided' as const,
    patch: review.sha256,
    hunks: [...hunks],
    decision,
  };
  store.append({ ...placeOf(review), body });
}

/** Records a note; one with the id of an older note takes its place. */
export function note(
  store: Store,
  review: OpenReview,
  { id, ...note }: Omit<ReviewNote, 'id'> & { id?: string | undefined },
): void {
  const text = note.text.trim();
  if (text === '' || text.length > MAX_NOTE_CHARACTERS) {
    throw new VivariumError(
      'usage',
      text === '' ? 'the note is empty' : `the note has ${text.length} characters`,
      text === ''
        ? 'Write something, or remove the note.'
        : `Keep a note below ${MAX_NOTE_CHARACTERS} characters.`,
    );
  }
  const body = {
    type: 'review.noted' as const,
    patch: review.sha256,
    note: { ...note, text, id: id ?? newId() },
  };
  store.append({ ...placeOf(review), body });
}

/** Records that a note is gone; nothing happens when there is none of that id. */
export function removeNote(store: Store, review: OpenReview, id: string): void {
  if (!review.notes.some((one) => one.id === id)) return;
  store.append({ ...placeOf(review), body: { type: 'review.noteRemoved', id } });
}

function placeOf({ sessionId, attempt }: OpenReview): { sessionId: string; attemptId: string } {
  return { sessionId, attemptId: attempt.summary.attemptId };
}

function unknownPiece(id: string): VivariumError {
  return new VivariumError(
    'usage',
    `the patch has no part ${id}`,
    'Load the review again: the patch may have changed.',
  );
}
