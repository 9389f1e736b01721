import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../lib/index.ts';
import { KEEP_REASONS } from './keep.ts';

const share = z.number().min(0).max(1);

const taskSchema = z.object({
  name: z.string(),
  /** Of the task that was probed; with another hash this says nothing. */
  hash: z.string(),
  bugClass: z.string().nullable(),
  solved: z.number().int(),
  /** Graded attempts, each with a seed of its own. */
  probes: z.number().int(),
  /** 0.95 credible interval of the pass rate. */
  interval: z.object({ low: share, high: share }),
  /** Posterior chance that the pass rate is within the band. */
  inBand: share,
  /** Unbiased p(1-p); `null` = fewer than two probes. */
  learnability: z.number().nullable(),
  /** Fall in the chance of a wrong decision that one more probe is expected to buy. */
  nextProbeBuys: z.number(),
  kept: z.boolean(),
  why: z.enum(KEEP_REASONS),
});

const calibrationSchema = z.object({
  model: z.string(),
  modelName: z.string(),
  scaffoldName: z.string(),
  scaffoldHash: z.string(),
  settings: z.object({
    first: z.number(),
    most: z.number(),
    band: z.object({ low: share, high: share }),
    worth: z.number(),
    unsolvedShare: share,
    classShare: share,
  }),
  tasks: z.array(taskSchema),
  /** Milliseconds since 1970. */
  at: z.number(),
});

/** What probes of one model with one scaffold said of the tasks of a set. */
export type Calibration = z.infer<typeof calibrationSchema>;
export type CalibratedTask = Calibration['tasks'][number];

const fileSchema = z.object({ version: z.literal(1), calibrations: z.array(calibrationSchema) });

/** Beside the folders of the tasks: it is no part of what it tells of. */
const CALIBRATION_FILE = 'calibration.json';

/**
 * Keeps a calibration beside the tasks, in place of the one of the same model and scaffold; returns
 * the file. Throws the system's error.
 */
export async function keepCalibration(folder: string, calibration: Calibration): Promise<string> {
  const file = path.join(folder, CALIBRATION_FILE);
  const others = (await readCalibrations(file)).filter((other) => !sameModel(other, calibration));
  const calibrations = [...others, calibration];
  await writeDurably(file, `${JSON.stringify({ version: 1, calibrations }, undefined, 1)}\n`);
  return file;
}

async function readCalibrations(file: string): Promise<Calibration[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return fileSchema.parse(JSON.parse(text)).calibrations;
  } catch {
    return [];
  }
}

/** What makes probes those of one model with one scaffold. */
type Probed = Pick<Calibration, 'model' | 'modelName' | 'scaffoldHash'>;

export function sameModel(a: Probed, b: Probed): boolean {
  return a.model === b.model && a.modelName === b.modelName && a.scaffoldHash === b.scaffoldHash;
}
