import { z } from 'zod';
import {
  runEntrySchema,
  runSettingsSchema,
  runTaskSchema,
  type RunEntry,
} from '../../contract/index.ts';
import { cellRows } from './cell-rows.ts';
import { entryFacts, lastPart } from './facts.ts';
import type { ReportData } from './report-data.ts';
import { warnings } from './sentences.ts';

/** Raised when a member changes its meaning or goes; new members come without. */
const JSON_REPORT_VERSION = 1;

const count = z.number().int().nonnegative();
/** `null` = there is nothing to compute it from. */
const figure = z.number().nullable();
const interval = z.object({ value: figure, low: figure, high: figure });
const spread = z.object({ p50: figure, p90: figure, sum: z.number(), n: count });
const pass = z.array(z.object({ k: count, value: figure, tasks: count }));
const curve = z.array(z.object({ cost: z.number(), solved: z.number() }));

const statistics = z.object({
  ...{ tasks: count, tasksWithout: count, seeds: z.object({ least: count, most: count }) },
  runs: z.object({ valid: count, solved: count, infra: count, unfinished: count }),
  ...{ pass1: interval, standardError: figure, perRun: interval, passAt: pass, passHat: pass },
  ...{ flips: figure, steps: spread, peakMemoryBytes: spread, energyJoules: spread },
  tokens: z.object({ prompt: spread, completion: spread, cachedShare: figure }),
  seconds: z.object({ total: spread, model: spread, tools: spread, grading: spread }),
});

const entry = z.object({
  entry: runEntrySchema.omit({ scaffold: true }),
  statistics,
  /** The interval to quote; `statistics.pass1` is the bootstrap's alone. */
  pass1: interval.extend({ by: z.enum(['bootstrap', 'wilson']) }),
  ...{ planned: count, notBegun: count, retried: count, uncounted: count },
  infra: z.array(z.object({ reason: z.string().nullable(), cells: count })),
  bounds: z.object({ low: figure, high: figure }),
  matrix: z.array(
    z.object({ outcome: z.string().nullable(), ending: z.string().nullable(), cells: count }),
  ),
  premature: z.object({ cells: count, solved: count }),
  suspicions: z.array(z.object({ kind: z.string(), cells: count, solved: count })),
  curves: z.object({ steps: curve, tokens: curve, minutes: curve }),
});

const comparison = z.object({
  ...{ a: z.string(), b: z.string(), changedTasks: count, adjustedP: figure },
  result: z.object({
    ...{ tasks: count, leftOut: count, difference: interval, p: figure, same: count },
    ...{
      better: z.array(z.string()),
      worse: z.array(z.string()),
      smallest: figure,
      needed: figure,
    },
  }),
});

const cell = z.object({
  ...{ task: z.string(), taskHash: z.string(), entry: z.string(), seed: z.number().int() },
  ...{ state: z.string(), outcome: z.string().nullable(), ending: z.string().nullable() },
  ...{ resolved: z.boolean().nullable(), reward: figure, session: z.string().nullable() },
  ...{ tries: count, steps: figure, promptTokens: figure, completionTokens: figure },
  ...{ cachedTokens: figure, modelSeconds: figure, toolSeconds: figure, totalSeconds: figure },
  ...{ gradingSeconds: figure, peakMemoryBytes: figure, energyJoules: figure },
  ...{ patchFiles: figure, insertions: figure, deletions: figure },
  ...{ premature: z.boolean().nullable(), suspicions: z.array(z.string()) },
  ...{ infra: z.string().nullable(), summary: z.string().nullable() },
  ...{ unmetFailToPass: z.array(z.string()), unmetPassToPass: z.array(z.string()) },
  ...{ label: z.string().nullable(), note: z.string().nullable() },
});

const run = z.object({
  ...{ runId: z.string(), name: z.string(), state: z.string(), createdAt: z.number() },
  ...{ finishedAt: figure, tasks: count, seeds: count, entries: z.array(z.string()) },
});

/** Of `vivarium eval report --format json`; shares are between 0 and 1, times in seconds or ms since 1970. */
export const jsonReportSchema = z.object({
  format: z.literal('vivarium-eval-report'),
  version: z.literal(JSON_REPORT_VERSION),
  run: run.extend({
    tasksFolder: z.string(),
    tasksHash: z.string(),
    taskSet: z.array(runTaskSchema),
    seedList: z.array(z.number().int()),
    settings: runSettingsSchema,
    environment: z.record(z.string(), z.string()),
  }),
  warnings: z.array(z.string()),
  entries: z.array(entry),
  comparisons: z.array(comparison),
  reach: z
    .object({
      ...{ tasks: count, seeds: count, flips: z.number(), flipsMeasured: z.boolean() },
      smallest: z.number(),
      needed: z.array(z.object({ difference: z.number(), tasks: count })),
    })
    .nullable(),
  labels: z.array(z.object({ label: z.string(), cells: count })),
  other: z.object({ run, differences: z.array(z.string()) }).nullable(),
  /** One for each cell that was asked for. */
  cells: z.array(cell),
});

export type JsonReport = z.infer<typeof jsonReportSchema>;

/** Without folders of this machine and its processes: a report is mailed. */
export function jsonReport(data: ReportData): Uint8Array {
  const { created } = data;
  const report = {
    ...{ format: 'vivarium-eval-report', version: JSON_REPORT_VERSION },
    run: {
      ...data.run,
      ...{ tasksFolder: lastPart(created.tasksFolder), tasksHash: created.tasksHash },
      ...{ taskSet: created.tasks, seedList: created.seeds, settings: created.settings },
      environment: created.environment,
    },
    warnings: warnings(data),
    entries: data.entries.map((one) => ({ ...one, entry: entryOf(one.entry) })),
    ...{ comparisons: data.comparisons, reach: data.reach, labels: data.labels, other: data.other },
    cells: cellRows(data),
  };
  // A figure that is no number becomes `null`, as the schema has it.
  return Buffer.from(`${JSON.stringify(report)}\n`);
}

function entryOf(own: RunEntry): Omit<RunEntry, 'scaffold'> {
  const { label, modelName, scaffoldName, scaffoldHash } = own;
  return { label, model: entryFacts(own).source, modelName, scaffoldName, scaffoldHash };
}
