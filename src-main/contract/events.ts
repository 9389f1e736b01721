import { z } from 'zod';
import { cellRefSchema, RUN_EVENTS } from './evaluation.ts';
import { exitReasonSchema } from './exit-reasons.ts';
import { messageSchema, observationSchema } from './messages.ts';
import { REVIEW_EVENTS } from './review-events.ts';
import { reviewFlagSchema } from './review-flags.ts';

const usage = z.object({
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
});

/** Why a path is not in a patch. */
export const leftOutSchema = z.object({ path: z.string(), reason: z.string() });

/** What is known of a patch besides its bytes. */
export const patchFactsSchema = z.object({
  sha256: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(['added', 'modified', 'deleted']),
      /** `null` for binaries. */
      insertions: z.number().nullable(),
      deletions: z.number().nullable(),
    }),
  ),
  insertions: z.number(),
  deletions: z.number(),
  flags: z.array(reviewFlagSchema),
  leftOut: z.array(leftOutSchema),
});

/** A path the step changed. `blob` is the sha256 of its content in the store. */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    executable: z.boolean(),
    blob: z.string(),
  }),
  z.object({ kind: z.literal('symlink'), path: z.string(), blob: z.string() }),
  z.object({ kind: z.literal('deleted'), path: z.string() }),
]);

const testResult = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'error', 'skipped']),
});

/** One run of the verify command. `tests` is empty when the runner was not recognised. */
export const verificationRunSchema = z.object({
  exitCode: z.number().nullable(),
  passed: z.boolean(),
  /** Why `passed` is what it is when the exit code alone does not say it. */
  reason: z.string().nullable(),
  seconds: z.number(),
  runner: z.enum(['pytest', 'node', 'go', 'junit', 'exit-code']),
  tests: z.array(testResult),
  outputTail: z.string(),
});

export const verificationSchema = z.object({
  command: z.string(),
  /** On the snapshot; should fail. */
  before: verificationRunSchema,
  /** On snapshot + patch with protected files restored; must pass. */
  after: verificationRunSchema,
  /** Protected paths the patch touched and that were put back before the run. */
  restored: z.array(z.string()),
  /** Tests that passed before and do not any more. */
  regressions: z.array(z.string()),
  fixed: z.array(z.string()),
  passed: z.boolean(),
  /** One line for people. */
  summary: z.string(),
});

const limits = z.object({
  memoryBytes: z.number(),
  cpus: z.number(),
  pids: z.number(),
  diskBytes: z.number(),
  inodes: z.number(),
});

/** Everything that can be in the record. Additions only; a reader skips kinds it does not know. */
export const eventBodySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.created'),
    repository: z.string(),
    title: z.string(),
    issue: z.string(),
    model: z.object({
      engine: z.string(),
      name: z.string(),
      spec: z.string(),
      contextTokens: z.number().nullable(),
      sha256: z.string().nullable(),
      details: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
    scaffold: z.object({ name: z.string(), hash: z.string(), file: z.string().nullable() }),
    /** All that is needed to resume or repeat, as the core's fix request without secrets. */
    request: z.record(z.string(), z.unknown()),
    limits,
    /** As in `attempt.started`; tells a session whose process died before its first attempt. */
    owner: z.string().optional(),
    /** Of a session that goes on from a reviewed patch of another one. */
    followUp: z
      .object({
        sessionId: z.string(),
        attemptId: z.string(),
        /** Of the bytes of the patch it starts with: what the review let through. */
        patch: z.string(),
        /** The same as changes against the snapshot: what every workspace starts with. */
        changes: z.array(changeSchema),
      })
      .optional(),
    /** Of a session that is one cell of an evaluation. */
    cell: cellRefSchema.optional(),
  }),
  z.object({
    type: z.literal('snapshot.taken'),
    gitDir: z.string(),
    baseCommit: z.string(),
    tree: z.string(),
    startCommit: z.string(),
    files: z.number(),
    bytes: z.number(),
    dirty: z.object({ modified: z.number(), untracked: z.number() }),
    notCarried: z.array(leftOutSchema),
    seconds: z.number(),
  }),
  z.object({
    type: z.literal('attempt.started'),
    number: z.number(),
    seed: z.number(),
    /** Pid, start time and boot of the process that runs it; tells a dead owner. */
    owner: z.string(),
    resumedFromStep: z.number().nullable(),
  }),
  z.object({
    type: z.literal('workspace.opened'),
    workspace: z.string(),
    attestation: z.object({
      imageId: z.string(),
      runtime: z.string(),
      engine: z.string(),
      rows: z.array(
        z.object({
          check: z.string(),
          from: z.enum(['engine', 'inside']),
          expected: z.string(),
          found: z.string(),
        }),
      ),
    }),
    seconds: z.number(),
  }),
  z.object({
    type: z.literal('attempt.opened'),
    messages: z.array(messageSchema),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  z.object({
    type: z.literal('step.finished'),
    step: z.number(),
    messages: z.array(messageSchema),
    observations: z.array(observationSchema),
    finish: z.enum(['stop', 'calls', 'cut']),
    usage,
    /** Blob of the tokens (`turnTokensSchema` as JSON), where they were asked for and given. */
    tokens: z.string().optional(),
    timings: z.object({
      modelMs: z.number(),
      firstTokenMs: z.number().nullable(),
      toolsMs: z.number(),
      ownMs: z.number(),
      /** While the model's server was paused. */
      waitedMs: z.number().optional(),
    }),
    /** The checkpoint: paths changed since the step before. */
    changes: z.array(changeSchema),
    refused: z.array(leftOutSchema),
    memory: z.object({
      workspaceBytes: z.number().nullable(),
      modelBytes: z.number().nullable(),
      /** Resident memory of the core itself; records of older versions have none. */
      appBytes: z.number().optional(),
    }),
    retries: z.array(z.string()),
    notes: z.array(z.string()),
  }),
  z.object({
    type: z.literal('attempt.finished'),
    exitReason: exitReasonSchema,
    detail: z.string().nullable(),
    steps: z.number(),
    finalMessage: z.string().nullable(),
    usage,
    seconds: z.object({
      ...{ model: z.number(), tools: z.number(), total: z.number() },
      /** While the model's server was paused. */
      waiting: z.number().optional(),
    }),
    peakMemoryBytes: z.number().nullable(),
  }),
  z.object({
    type: z.literal('patch.made'),
    ...patchFactsSchema.shape,
    /** Blob of the patch bytes; equals `sha256`. `null` when nothing changed. */
    blob: z.string().nullable(),
    tree: z.string(),
    /** `live` = read from the workspace at the end; `checkpoint` = from the last step on record. */
    source: z.enum(['live', 'checkpoint']),
  }),
  z.object({ type: z.literal('verification.finished'), result: verificationSchema }),
  z.object({
    type: z.literal('patch.exported'),
    files: z.array(z.string()),
    appliesToWorkingTree: z.boolean(),
    appliesDetail: z.string().nullable(),
    /** A review left parts of the patch out. */
    partial: z.boolean().optional(),
  }),
  ...REVIEW_EVENTS,
  ...RUN_EVENTS,
  z.object({
    type: z.literal('note'),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
  /** Appended by the next start for a session whose process died between attempts. */
  z.object({ type: z.literal('session.interrupted'), detail: z.string() }),
  z.object({
    type: z.literal('session.finished'),
    outcome: z.enum(['verified', 'patched', 'not_verified', 'no_patch', 'cancelled', 'failed']),
    /** Attempt whose patch is the result. */
    attemptId: z.string().nullable(),
    detail: z.string().nullable(),
  }),
]);

export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];
export type EventOf<T extends EventType> = Extract<EventBody, { type: T }>;
export type Verification = z.infer<typeof verificationSchema>;
export type VerificationRun = z.infer<typeof verificationRunSchema>;
export type RecordedChange = z.infer<typeof changeSchema>;

/** An event as stored: `number` is gapless over the whole store and orders everything. */
export interface StoredEvent {
  number: number;
  sessionId: string;
  /** `null` for events of the session itself. */
  attemptId: string | null;
  /** Milliseconds since 1970 by the host's clock. */
  at: number;
  body: EventBody;
}
