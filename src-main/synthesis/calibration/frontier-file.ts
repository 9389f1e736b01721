import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../lib/index.ts';
import { BUG_CLASSES, GENERATORS } from '../types.ts';
import { sameModel, type Calibration } from './calibration-file.ts';

const kindSchema = z.object({
  kind: z.string(),
  tasks: z.number().int(),
  atFrontier: z.number().int(),
  inBand: z.number(),
});

const roundSchema = z.object({
  /** Valid tasks there should be at its end. */
  target: z.number().int(),
  /** How many of each class. */
  classes: z.partialRecord(z.enum(BUG_CLASSES), z.number().int()),
  generators: z.array(z.enum(GENERATORS)),
  /** Its tasks were made, as far as there were bugs, and probed. */
  done: z.boolean(),
});

const frontierSchema = z.object({
  model: z.string(),
  modelName: z.string(),
  scaffoldName: z.string(),
  scaffoldHash: z.string(),
  /** Over the contents of all tasks that this was found of. */
  tasksHash: z.string(),
  classes: z.array(kindSchema),
  /** By generator and method. */
  methods: z.array(kindSchema),
  rounds: z.array(roundSchema),
});

/** Which kinds of bugs lie at the frontier of one model with one scaffold, and the rounds made of it. */
export type Frontier = z.infer<typeof frontierSchema>;
export type FrontierRound = z.infer<typeof roundSchema>;

const fileSchema = z.object({ version: z.literal(1), frontiers: z.array(frontierSchema) });

/** Beside `calibration.json`. */
const FRONTIER_FILE = 'frontier.json';

/** Keeps it beside the tasks, in place of the one of the same model. Throws the system's error. */
export async function keepFrontier(folder: string, frontier: Frontier): Promise<void> {
  const others = (await readFrontiers(folder)).filter((other) => !sameModel(other, frontier));
  const text = JSON.stringify({ version: 1, frontiers: [...others, frontier] }, undefined, 1);
  await writeDurably(path.join(folder, FRONTIER_FILE), `${text}\n`);
}

/** Rounds of earlier calls for this model; none where there is no file. */
export async function readRounds(
  folder: string,
  model: Pick<Calibration, 'model' | 'modelName' | 'scaffoldHash'>,
): Promise<FrontierRound[]> {
  const found = (await readFrontiers(folder)).find((other) => sameModel(other, model));
  return found?.rounds ?? [];
}

async function readFrontiers(folder: string): Promise<Frontier[]> {
  const text = await readFile(path.join(folder, FRONTIER_FILE), 'utf8').catch(() => '{}');
  try {
    return fileSchema.parse(JSON.parse(text)).frontiers;
  } catch {
    return [];
  }
}
