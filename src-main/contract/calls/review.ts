import { z } from 'zod';
import { leftOutSchema, verificationSchema } from '../events.ts';
import { decisionSchema, reviewNoteSchema } from '../review-events.ts';
import { reviewFlagSchema } from '../review-flags.ts';
import { call } from '../rpc.ts';

const session = z.string().min(1);
const attempt = z.string().min(1);

/** A piece of a changed file that is accepted or rejected as a whole. */
export const hunkSchema = z.object({
  /** Stable within the patch: `FILE_INDEX.HUNK_INDEX`; `FILE_INDEX` alone for what has no hunks. */
  id: z.string(),
  /** The `@@` line; for a file as a whole git's lines on it, such as `new file mode 100644`. */
  header: z.string(),
  decision: decisionSchema,
});

export const reviewFileSchema = z.object({
  path: z.string(),
  /** Before a rename. */
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  kind: z.enum(['text', 'binary', 'symlink', 'mode']),
  insertions: z.number().nullable(),
  deletions: z.number().nullable(),
  hunks: z.array(hunkSchema),
  /** This file's part of the patch, as text; cut at 2 MB, with `cut` true then. */
  text: z.string(),
  cut: z.boolean(),
});

/** A flag of the whole patch, and whether what it is about is exported. */
export const reviewedFlagSchema = reviewFlagSchema.extend({ exported: z.boolean() });

export const reviewSchema = z.object({
  session,
  attempt,
  sha256: z.string(),
  files: z.array(reviewFileSchema),
  flags: z.array(reviewedFlagSchema),
  leftOut: z.array(leftOutSchema),
  notes: z.array(reviewNoteSchema),
  verification: verificationSchema.nullable(),
  /** The verification is of the whole patch: with rejected parts it says nothing of what is exported. */
  partial: z.boolean(),
  appliesToWorkingTree: z.boolean().nullable(),
  appliesDetail: z.string().nullable(),
});

export const exportFormatSchema = z.enum([
  'patch',
  'mbox',
  'provenance',
  'leaf',
  'html',
  'markdown',
]);

export const REVIEW_CALLS = {
  /** `nothing_to_export` when the attempt (default: the session's result) has no patch. */
  'review/get': call(z.object({ session, attempt: attempt.optional() }), reviewSchema),
  'review/decide': call(
    z.object({
      session,
      attempt,
      /** Ids of hunks, or of whole files (`FILE_INDEX`). What only goes together is decided together. */
      hunks: z.array(z.string()).min(1),
      decision: decisionSchema,
      /** `sha256` of the patch that was looked at; `usage` when it is another by now. */
      patch: z.string().optional(),
    }),
    reviewSchema,
  ),
  'review/note': call(
    z.object({
      session,
      attempt,
      note: reviewNoteSchema.omit({ id: true }).extend({ id: z.string().optional() }),
    }),
    reviewSchema,
  ),
  'review/removeNote': call(z.object({ session, attempt, id: z.string() }), reviewSchema),
  /** Writes the files into a folder the user named. Rejected parts are left out, and said so. */
  'review/export': call(
    z.object({
      session,
      attempt: attempt.optional(),
      format: exportFormatSchema,
      out: z.string().min(1),
    }),
    z.object({ files: z.array(z.string()), command: z.string().nullable() }),
  ),
  /** The same as bytes, for a browser's download; one file. */
  'review/download': call(
    z.object({ session, attempt: attempt.optional(), format: exportFormatSchema }),
    z.object({ name: z.string(), mime: z.string(), base64: z.string() }),
  ),
};

export type Review = z.infer<typeof reviewSchema>;
export type ReviewFile = z.infer<typeof reviewFileSchema>;
export type ReviewDecision = z.infer<typeof decisionSchema>;
export type ReviewNote = z.infer<typeof reviewNoteSchema>;
export type ReviewExportFormat = z.infer<typeof exportFormatSchema>;
