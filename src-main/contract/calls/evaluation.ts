import { z } from 'zod';
import {
  endingSchema,
  infraReasonSchema,
  outcomeSchema,
  runCellSchema,
  runEntrySchema,
  runSettingsSchema,
  runSummarySchema,
  suspicionSchema,
} from '../evaluation.ts';
import { call, stream } from '../rpc.ts';

const run = z.string().min(1);
const session = z.string().min(1);
const count = z.number().int().nonnegative();
/** `null` = it cannot be told: nothing to take it from. */
const figure = z.number().nullable();

/**
 * A cell as a matrix shows it, in as few characters as can be: runs have thousands. Session, task
 * (index into the run's tasks), entry (index), seed, state, outcome, ending, steps, tries, whether it
 * was premature, the first step that looks like a way around the task, and what a person calls it.
 */
export const cellRowSchema = z.tuple([
  session,
  count,
  count,
  z.number().int(),
  runCellSchema.shape.state,
  outcomeSchema.nullable(),
  endingSchema.nullable(),
  count,
  count,
  z.boolean(),
  count.nullable(),
  z.string().nullable(),
]);

export const intervalSchema = z.object({ value: figure, low: figure, high: figure });
const passFigure = z.object({ k: count, value: figure, tasks: count });
/** Half, nine tenths, and all of a figure; `n` = attempts that have it. */
const spread = z.object({ p50: figure, p90: figure, sum: figure, n: count });
const curve = z.array(z.object({ cost: z.number(), solved: z.number() }));
const some = z.object({ cells: count, solved: count });

export const entryReportSchema = z.object({
  entry: runEntrySchema,
  tasks: count,
  /** Tasks without a single verdict: in no figure. */
  tasksWithout: count,
  runs: z.object({ valid: count, solved: count, infra: count, unfinished: count }),
  planned: count,
  notBegun: count,
  retried: count,
  seeds: z.object({ least: count, most: count }),
  /** Mean over tasks with 95 %. */
  pass1: intervalSchema.extend({ by: z.enum(['bootstrap', 'wilson']) }),
  passAt: z.array(passFigure),
  passHat: z.array(passFigure),
  flips: figure,
  /** Share of all planned attempts if those without a verdict were unsolved, and if solved. */
  bounds: z.object({ low: figure, high: figure }),
  infra: z.array(z.object({ reason: infraReasonSchema.nullable(), cells: count })),
  matrix: z.array(
    z.object({ outcome: outcomeSchema.nullable(), ending: endingSchema.nullable(), cells: count }),
  ),
  premature: some,
  suspicions: z.array(some.extend({ kind: suspicionSchema.shape.kind })),
  costs: z.object({
    steps: spread,
    promptTokens: spread,
    completionTokens: spread,
    cachedShare: figure,
    totalSeconds: spread,
    modelSeconds: spread,
    toolsSeconds: spread,
    gradingSeconds: spread,
    peakMemoryBytes: spread,
    energyJoules: spread,
  }),
  /** Share solved within a cost; of long ones every so many points. */
  curves: z.object({ steps: curve, tokens: curve, minutes: curve }),
});

/** Two entries on the same tasks; a difference is `b` less `a`. */
export const comparisonSchema = z.object({
  a: z.string(),
  b: z.string(),
  tasks: count,
  leftOut: count,
  changedTasks: count,
  difference: intervalSchema,
  /** Exact paired test, two-sided, and the same after Holm for all comparisons of the report. */
  p: figure,
  adjustedP: figure,
  better: z.array(z.string()),
  worse: z.array(z.string()),
  same: count,
  /** Smallest difference that so many tasks can be expected to show; tasks the one seen would need. */
  smallest: figure,
  needed: figure,
  /** What a reader may take from it, in plain words. */
  sentence: z.string(),
});

const reach = z.object({
  tasks: count,
  seeds: count,
  flips: figure,
  flipsMeasured: z.boolean(),
  smallest: figure,
  needed: z.array(z.object({ difference: z.number(), tasks: count })),
  /** The same in plain words. */
  sentence: z.string(),
});

/** A cell that looks like a way around the task, with where to look. */
const suspect = suspicionSchema.extend({
  session,
  task: z.string(),
  entry: count,
  seed: z.number().int(),
  solved: z.boolean(),
});

export const runReportSchema = z.object({
  /** Number of the newest event that it is made of. */
  number: z.number().int(),
  summary: runSummarySchema,
  tasksFolder: z.string(),
  tasksHash: z.string(),
  /** In the order that cells name them by. */
  tasks: z.array(z.string()),
  seeds: z.array(z.number().int()),
  settings: runSettingsSchema,
  environment: z.record(z.string(), z.string()),
  entries: z.array(entryReportSchema),
  comparisons: z.array(comparisonSchema),
  reach: reach.nullable(),
  labels: z.array(z.object({ label: z.string(), cells: count })),
  /** What must be known before the figures, in plain words. */
  warnings: z.array(z.string()),
  /** Some hundred at most. */
  suspects: z.array(suspect),
  /** Seconds to the end with a range of 80 %, as of `at`; `null` = it does not run, or too little is known. */
  timeLeft: z
    .object({ likely: z.number(), low: z.number(), high: z.number(), at: z.number() })
    .nullable(),
  /** This process runs it, so it can be stopped here. */
  stoppable: z.boolean(),
});

export const REPORT_FORMATS = ['html', 'md', 'json', 'csv'] as const;
export const reportFormatSchema = z.enum(REPORT_FORMATS);

export const EVALUATION_CALLS = {
  /** Newest first. */
  'evaluation/runs': call(z.object({}), z.array(runSummarySchema)),
  'evaluation/run': call(z.object({ run }), runReportSchema),
  /** Cells that have begun; `watch` after `number` tells what changes. */
  'evaluation/cells': call(
    z.object({ run }),
    z.object({ number: z.number().int(), cells: z.array(cellRowSchema) }),
  ),
  /** All of one cell, its lists of unmet tests cut at 200; `null` for a session that is of no run. */
  'evaluation/cell': call(
    z.object({ session }),
    z
      .object({
        run: z.object({ runId: z.string(), name: z.string() }),
        entry: z.string(),
        cell: runCellSchema,
      })
      .nullable(),
  ),
  /** What changes in a run after a number: asked for again with the last number seen, nothing is missed. */
  'evaluation/watch': stream(
    z.object({ run, after: z.number().int().nonnegative() }),
    z.object({
      number: z.number().int(),
      summary: runSummarySchema,
      cells: z.array(cellRowSchema),
    }),
    z.object({}),
  ),
  /** Entries of `with` (before) against those of `run` (now), over the tasks that are the same in both. */
  'evaluation/compare': call(
    z.object({ run, with: run }),
    z.object({
      before: runSummarySchema,
      /** In what the two were run otherwise. */
      differences: z.array(z.string()),
      comparisons: z.array(comparisonSchema),
    }),
  ),
  /** What a person says of a cell; `null` takes it back. */
  'evaluation/label': call(
    z.object({
      session,
      label: z.string().trim().min(1).max(80).nullable(),
      note: z.string().max(4_000).default(''),
    }),
    z.object({}),
  ),
  /** One file as bytes, for the page's download or the shell's dialog. */
  'evaluation/report': call(
    z.object({ run, with: run.optional(), format: reportFormatSchema }),
    z.object({ name: z.string(), mime: z.string(), base64: z.string() }),
  ),
  /** Returns as soon as the run is on record; the rest is told by `evaluation/watch`. */
  'evaluation/start': call(
    z.object({
      /** Folder of task directories, or a preset's name. */
      tasks: z.string().min(1),
      models: z.array(z.string().min(1)).min(1),
      scaffolds: z.array(z.string().min(1)).default([]),
      seeds: z.number().int().positive().max(100).optional(),
      workers: z.number().int().positive().optional(),
      limit: z.number().int().positive().optional(),
      name: z.string().optional(),
    }),
    z.object({ run: z.string() }),
  ),
  /** Does what is left of a run. */
  'evaluation/resume': call(
    z.object({ run, retryInfra: z.boolean().default(false) }),
    z.object({}),
  ),
  /** Ends the running attempts of a run of this process; resolves when it has ended. */
  'evaluation/stop': call(z.object({ run }), z.object({})),
};

export type CellRow = z.infer<typeof cellRowSchema>;
export type RunReport = z.infer<typeof runReportSchema>;
export type EntryReportRow = z.infer<typeof entryReportSchema>;
export type ComparisonRow = z.infer<typeof comparisonSchema>;
export type Interval = z.infer<typeof intervalSchema>;
export type ReportFormat = z.infer<typeof reportFormatSchema>;
