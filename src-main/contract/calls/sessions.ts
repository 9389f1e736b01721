import { z } from 'zod';
import { eventBodySchema } from '../events.ts';
import { doctorRowSchema, sessionResultSchema } from '../results.ts';
import { call, stream } from '../rpc.ts';

const sessionId = z.string().min(1);
const attemptId = z.string().min(1);

export const sessionStateSchema = sessionResultSchema.shape.outcome;

/** A row of the list of sessions. */
export const sessionRowSchema = z.object({
  sessionId,
  title: z.string(),
  repository: z.string(),
  model: z.string(),
  scaffold: z.string(),
  state: sessionStateSchema,
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  attempts: z.number(),
  steps: z.number(),
  insertions: z.number(),
  deletions: z.number(),
  files: z.number(),
  verified: z.boolean().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Ended since a person last opened it. */
  unseen: z.boolean(),
  /** This process runs it, so it can be stopped here. */
  stoppable: z.boolean(),
});

export const sessionQuerySchema = z.object({
  /** Words that title, repository, model or id hold; all of them. */
  text: z.string().default(''),
  states: z.array(sessionStateSchema).default([]),
  repository: z.string().nullable().default(null),
  archived: z.boolean().default(false),
  sort: z.enum(['newest', 'oldest', 'updated', 'title', 'steps']).default('newest'),
  offset: z.number().int().nonnegative().default(0),
  limit: z.number().int().positive().max(500).default(200),
});

/** A new fix as a door asks for it; what is left out comes from profile, settings and defaults. */
export const newFixSchema = z.object({
  repository: z.string().min(1),
  issue: z.string(),
  model: z.string().min(1),
  scaffold: z.string().optional(),
  verify: z.string().optional(),
  protect: z.array(z.string()).optional(),
  include: z.array(z.string()).optional(),
  image: z.string().optional(),
  runtime: z.string().optional(),
  attempts: z.number().int().positive().optional(),
  parallel: z.number().int().positive().optional(),
  maxSteps: z.number().int().positive().optional(),
  maxContext: z.number().int().positive().optional(),
  seed: z.number().int().nonnegative().optional(),
  timeLimitSeconds: z.number().positive().optional(),
  history: z.boolean().optional(),
  limits: z
    .object({
      memoryBytes: z.number().positive().optional(),
      cpus: z.number().positive().optional(),
      pids: z.number().int().positive().optional(),
      diskBytes: z.number().positive().optional(),
      inodes: z.number().int().positive().optional(),
    })
    .optional(),
});

export const storedEventSchema = z.object({
  number: z.number().int(),
  sessionId,
  attemptId: z.string().nullable(),
  at: z.number(),
  body: eventBodySchema,
});

/** One thing that must be there before a fix can start. */
export const checkRowSchema = doctorRowSchema.omit({ required: true });

/** What happens right now in a running session; never stored, may be missed without loss. */
export const activitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('phase'), text: z.string() }),
  z.object({
    kind: z.literal('memory'),
    workspaceBytes: z.number().nullable(),
    modelBytes: z.number().nullable(),
    appBytes: z.number().optional(),
  }),
  z.object({ kind: z.literal('model'), step: z.number() }),
  /** Text of the model as it comes, gathered over some frames. */
  z.object({
    kind: z.literal('delta'),
    step: z.number(),
    part: z.enum(['content', 'reasoning', 'call']),
    text: z.string(),
  }),
  /** What came of this step so far is void: the server is asked again. */
  z.object({ kind: z.literal('restart'), step: z.number(), reason: z.string() }),
  z.object({ kind: z.literal('tool'), step: z.number(), name: z.string(), summary: z.string() }),
  z.object({ kind: z.literal('note'), step: z.number(), text: z.string() }),
]);

export const liveItemSchema = z.discriminatedUnion('kind', [
  /** The first item: events after this number follow. Told for the client that loses its connection. */
  z.object({ kind: z.literal('from'), number: z.number().int() }),
  z.object({ kind: z.literal('event'), event: storedEventSchema }),
  z.object({
    kind: z.literal('activity'),
    sessionId,
    attemptId: z.string().nullable(),
    attempt: z.number(),
    /** Milliseconds since 1970. */
    at: z.number(),
    activity: activitySchema,
  }),
]);

export const SESSION_CALLS = {
  'sessions/list': call(
    sessionQuerySchema,
    z.object({
      rows: z.array(sessionRowSchema),
      /** Rows that match, whatever offset and limit. */
      total: z.number(),
      /** Not archived ones by state, whatever the query. */
      counts: z.record(z.string(), z.number()),
      repositories: z.array(z.string()),
    }),
  ),
  /** Marks it as seen. */
  'sessions/get': call(
    z.object({ session: sessionId }),
    z.object({
      row: sessionRowSchema,
      result: sessionResultSchema,
      issue: z.string(),
      maxSteps: z.number(),
      contextTokens: z.number().nullable(),
      verify: z.string().nullable(),
      startCommit: z.string().nullable(),
    }),
  ),
  /** Events in order; `last` is the newest number there is, `more` that the limit cut the answer. */
  'sessions/events': call(
    z.object({
      session: sessionId,
      after: z.number().int().default(0),
      attempt: z.string().optional(),
      limit: z.number().int().positive().max(5_000).default(1_000),
    }),
    z.object({ events: z.array(storedEventSchema), last: z.number(), more: z.boolean() }),
  ),
  /** A piece of a stored content; text is decoded leniently. */
  'sessions/blob': call(
    z.object({
      sha256: z.string().length(64),
      offset: z.number().int().nonnegative().default(0),
      maxBytes: z.number().int().positive().max(1_048_576).default(262_144),
    }),
    z.object({ text: z.string(), size: z.number(), binary: z.boolean() }),
  ),
  /** What is missing before such a fix can start; starts none. */
  'sessions/check': call(
    newFixSchema.partial(),
    z.object({ rows: z.array(checkRowSchema), ready: z.boolean() }),
  ),
  /** Returns as soon as the session has its id; the rest is told by `live`. */
  'sessions/start': call(newFixSchema, z.object({ session: sessionId })),
  /** Ends the running attempts; what there is is kept. Resolves when it has ended. */
  'sessions/stop': call(z.object({ session: sessionId }), z.object({})),
  'sessions/resume': call(z.object({ session: sessionId }), z.object({})),
  /** The same task again, with what is given changed. */
  'sessions/again': call(
    z.object({ session: sessionId, changes: newFixSchema.partial().default({}) }),
    z.object({ session: sessionId }),
  ),
  /**
   * A new session that starts from what a review let through of a patch. Its issue is the original
   * one with the notes of the review; `text` is what a person says of the patch as a whole, and may
   * be empty where there are notes. Its patch is against the original repository again.
   */
  'sessions/followUp': call(
    z.object({ session: sessionId, attempt: attemptId, text: z.string() }),
    z.object({ session: sessionId }),
  ),
  'sessions/mark': call(
    z.object({
      session: sessionId,
      pinned: z.boolean().optional(),
      archived: z.boolean().optional(),
    }),
    sessionRowSchema,
  ),
  /**
   * Events of all sessions after a number, then what comes, activities among it. A client that lost
   * its connection asks again with the last number it saw and misses nothing. `null` = from now on.
   */
  live: stream(
    z.object({ after: z.number().int().nullable().default(null), session: z.string().optional() }),
    liveItemSchema,
    z.object({}),
  ),
};

export type SessionRow = z.infer<typeof sessionRowSchema>;
export type SessionQuery = z.infer<typeof sessionQuerySchema>;
export type NewFix = z.infer<typeof newFixSchema>;
export type CheckRow = z.infer<typeof checkRowSchema>;
export type LiveActivity = z.infer<typeof activitySchema>;
export type LiveItem = z.infer<typeof liveItemSchema>;
