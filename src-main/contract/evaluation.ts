import { z } from 'zod';
import { exitReasonSchema } from './exit-reasons.ts';
import { samplingSchema } from './sampling.ts';

/** Runs, their cells and verdicts, as the record keeps them and `vivarium eval ... --json` prints them. */

const count = z.number().int().nonnegative();
const orNull = z.number().nullable();

/** What a test came to, in the words of SWE-bench 5, and `MISSING` for one that left no result. */
export const testStatusSchema = z.enum([
  'PASSED',
  'FAILED',
  'SKIPPED',
  'ERROR',
  'XFAIL',
  'MISSING',
]);

/** Why nothing can be said of a patch: the fault is not the model's. SWE-bench 5's reasons and ours. */
export const INFRA_REASONS = {
  out_of_memory: 'the kernel ended the tests for memory',
  container_unavailable: 'the workspace could not be opened, or was lost',
  workspace_lost: 'the workspace was lost while the tests ran',
  network_unreachable: 'the tests wanted a network',
  missing_module: 'the image lacks a module that the tests import',
  no_tests_collected: 'the runner found no test',
  tests_timed_out: 'the tests were still running at the time limit',
  browser_launch_failed: 'the tests could not start a browser',
  display_unavailable: 'the tests wanted a display',
  no_reward: 'the verifier left no valid reward',
  image_missing: 'the image of the task is not here',
  task_changed: 'the task was changed while the run went on',
  model_server: 'the model server failed and retries did not help',
  tool_code: 'our own code failed',
} as const;
export type InfraReason = keyof typeof INFRA_REASONS;
export const infraReasonSchema = z.enum(
  Object.keys(INFRA_REASONS) as [InfraReason, ...InfraReason[]],
);

/** One list of expected tests against what was found. `unmet` is what speaks against the patch. */
export const expectationSchema = z.object({
  expected: count,
  met: count,
  unmet: z.array(z.object({ name: z.string(), status: testStatusSchema })),
});

/** The verdict over one patch, made in a workspace that the agent never saw. */
export const gradingSchema = z.object({
  /** `infra` = nothing is known of the patch; it counts neither as solved nor as failed. */
  state: z.enum(['graded', 'infra']),
  infra: z.object({ reason: infraReasonSchema, detail: z.string() }).nullable(),
  resolved: z.boolean(),
  /** Harbor's reward where the verifier gives one, else 1 or 0; `null` with `infra`. */
  reward: orNull,
  /** Members of `reward.json`. */
  rewards: z.record(z.string(), z.number()),
  /** The patch could be laid over the tree. */
  applied: z.boolean(),
  failToPass: expectationSchema.nullable(),
  passToPass: expectationSchema.nullable(),
  /** Counts by status of all tests that left a result; `null` = the verifier names no tests. */
  tests: z.record(z.string(), z.number()).nullable(),
  exitCode: z.number().nullable(),
  seconds: z.number(),
  /** `reward`, a SWE-bench parser's name, `junit`, ...: how the results were read. */
  readBy: z.string(),
  /** sha256 of what was read, for grading again without a container: name to blob. */
  evidence: z.record(z.string(), z.string()),
  /** One line for people. */
  summary: z.string(),
});

/** One line of an evaluation's table: a model with a scaffold. */
export const runEntrySchema = z.object({
  /** Unique in the run: `MODEL x SCAFFOLD`. */
  label: z.string(),
  /** As the user names it; see `FixRequest.model`. */
  model: z.string(),
  modelName: z.string(),
  /** Name, or absolute path of a scaffold file. */
  scaffold: z.string(),
  scaffoldName: z.string(),
  scaffoldHash: z.string(),
});

export const runTaskSchema = z.object({
  name: z.string(),
  /** Content hash of the task; evidence is bound to it. */
  hash: z.string(),
});

/** A limit that is 0 is left to each entry's profile and scaffold. */
export const runSettingsSchema = z.object({
  maxSteps: count,
  maxContextTokens: count,
  maxTokensPerTurn: count,
  timeLimitMs: z.number(),
  /** Replaces members of the profile's or the scaffold's sampling. */
  sampling: samplingSchema.partial(),
  workers: count,
  /** Further tries of a cell whose ending says nothing of the model. */
  infraRetries: count,
  /** Tokens of each turn are asked for and kept; absent = no. */
  recordTokens: z.boolean().optional(),
  preset: z.string().nullable(),
});

/** Something in the record that looks like a way around the task, with the step that shows it. */
export const suspicionSchema = z.object({
  kind: z.enum(['tests_weakened', 'history_searched', 'verifier_touched', 'answer_sought']),
  step: count,
  evidence: z.string(),
});

export const RUN_EVENTS = [
  z.object({
    type: z.literal('run.created'),
    name: z.string(),
    /** Folder of the task set, absolute, and the hash over all of its tasks. */
    tasksFolder: z.string(),
    tasksHash: z.string(),
    tasks: z.array(runTaskSchema),
    entries: z.array(runEntrySchema),
    seeds: z.array(z.number().int()),
    settings: runSettingsSchema,
    /** Machine and versions, for the report's last page. */
    environment: z.record(z.string(), z.string()),
    owner: z.string(),
  }),
  z.object({ type: z.literal('run.resumed'), owner: z.string() }),
  z.object({
    type: z.literal('run.finished'),
    /** `interrupted` is appended by the next start for a run whose process died. */
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
    detail: z.string().nullable(),
  }),
  /** In the session of a cell, for one attempt. A later one replaces it (graded again). */
  z.object({
    type: z.literal('grading.finished'),
    result: gradingSchema,
    /** Made from saved evidence, without a container. */
    again: z.boolean(),
  }),
  /** In the session of a cell, for one attempt: what reading its record showed. A later one replaces it. */
  z.object({
    type: z.literal('cell.analysed'),
    premature: z.boolean(),
    suspicions: z.array(suspicionSchema),
    energyJoules: orNull,
  }),
  /** What a person says of a cell on top of what was computed; `null` takes it back. */
  z.object({
    type: z.literal('cell.labelled'),
    label: z.string().nullable(),
    note: z.string(),
  }),
] as const;

/** In `session.created` of a session that is a cell of a run. */
export const cellRefSchema = z.object({
  runId: z.string(),
  task: z.string(),
  taskHash: z.string(),
  /** Index into the run's entries. */
  entry: count,
  seed: z.number().int(),
});

/** First axis of the failure analysis: what became of the tests. */
export const outcomeSchema = z.enum([
  'resolved',
  /** No expected test was fixed. */
  'never_fixed',
  /** Some of the expected tests were fixed, none broken. */
  'partial',
  /** Nothing fixed, something broken. */
  'regression',
  /** All expected tests fixed, something else broken. */
  'fixed_with_regression',
  'not_applied',
  'empty',
  'infra',
]);
/** Second axis: how the attempt ended. */
export const endingSchema = z.enum([
  'final_answer',
  'steps',
  'context',
  'tokens',
  'time',
  'loop',
  'format',
  'infra',
  'stopped',
]);

/** A (task, entry, seed) of a run as views and reports read it: the last try counts. */
export const runCellSchema = z.object({
  runId: z.string(),
  sessionId: z.string(),
  attemptId: z.string().nullable(),
  task: z.string(),
  entry: count,
  seed: z.number().int(),
  state: z.enum(['running', 'interrupted', 'graded', 'infra', 'stopped']),
  /** Attempts made, infra retries included. */
  tries: count,
  resolved: z.boolean(),
  reward: orNull,
  exitReason: exitReasonSchema.nullable(),
  detail: z.string().nullable(),
  steps: count,
  tokens: z.object({ prompt: orNull, completion: orNull, cached: orNull }),
  seconds: z.object({
    model: z.number(),
    tools: z.number(),
    /** Of the attempt. */
    total: z.number(),
    grading: z.number(),
  }),
  peakMemoryBytes: orNull,
  /** Of the machine while the attempt ran, shared out over those that ran at once. */
  energyJoules: orNull,
  patch: z.object({
    bytes: count,
    files: count,
    insertions: count,
    deletions: count,
    /** Blob of the patch; `null` = nothing changed. */
    blob: z.string().nullable(),
  }),
  grading: gradingSchema.nullable(),
  outcome: outcomeSchema.nullable(),
  ending: endingSchema.nullable(),
  /** It gave its final answer having changed nothing, or having run nothing since its last change. */
  premature: z.boolean(),
  suspicions: z.array(suspicionSchema),
  label: z.object({ label: z.string(), note: z.string() }).nullable(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
});

export const runSummarySchema = z.object({
  runId: z.string(),
  name: z.string(),
  state: z.enum(['running', 'interrupted', 'done', 'stopped', 'failed']),
  createdAt: z.number(),
  finishedAt: z.number().nullable(),
  tasks: count,
  entries: z.array(z.string()),
  seeds: count,
  cells: z.object({ total: count, graded: count, resolved: count, infra: count, running: count }),
});

export type TestStatus = z.infer<typeof testStatusSchema>;
export type Grading = z.infer<typeof gradingSchema>;
export type Expectation = z.infer<typeof expectationSchema>;
export type RunEntry = z.infer<typeof runEntrySchema>;
export type RunTask = z.infer<typeof runTaskSchema>;
export type RunSettings = z.infer<typeof runSettingsSchema>;
export type CellRef = z.infer<typeof cellRefSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Ending = z.infer<typeof endingSchema>;
export type Suspicion = z.infer<typeof suspicionSchema>;
export type RunCell = z.infer<typeof runCellSchema>;
export type RunSummary = z.infer<typeof runSummarySchema>;

/** What `vivarium eval export` writes, or sends to an address that the user types. */
export const RUN_EXPORT_FORMATS = [
  'results',
  'mini-swe-agent',
  'swe-bench',
  'atif',
  'otlp',
  'mlflow',
  'wandb',
] as const;
export type RunExportFormat = (typeof RUN_EXPORT_FORMATS)[number];
