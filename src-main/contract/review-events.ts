import { z } from 'zod';

/** What a person decides of a piece of a patch. */
export const decisionSchema = z.enum(['accepted', 'rejected', 'open']);

/** A person's note to a line of the patch; sent back to the model as a follow-up. */
export const reviewNoteSchema = z.object({
  id: z.string(),
  path: z.string(),
  /** Line in the new file; `null` = the file as a whole. */
  line: z.number().int().nullable(),
  text: z.string(),
});

/**
 * A review is on the record, not in a table beside it: it is a person's work, never lost, seen at
 * once by everyone who follows the record, and it tells later who let what through, and when.
 */
export const REVIEW_EVENTS = [
  z.object({
    type: z.literal('review.decided'),
    /** sha256 of the patch; the ids mean nothing in another one. */
    patch: z.string(),
    /** See `hunkSchema`; the last word on each counts. */
    hunks: z.array(z.string()),
    decision: decisionSchema,
  }),
  /** A new note, or the new text of one. */
  z.object({ type: z.literal('review.noted'), patch: z.string(), note: reviewNoteSchema }),
  z.object({ type: z.literal('review.noteRemoved'), id: z.string() }),
] as const;
