import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, VivariumError, writeDurably } from '../../lib/index.ts';
import { BUG_CLASSES, GENERATORS } from '../types.ts';
import type { SynthReport, SynthRequest, TriedCandidate } from './types.ts';

const REFUSALS = [
  'nothing_changed',
  'no_test_tells',
  'collection_error',
  'timed_out',
  'duplicate',
  'base_fails',
  'not_judged',
  'check_failed',
] as const;

const triedSchema = z.object({
  id: z.string(),
  generator: z.enum(GENERATORS),
  method: z.string(),
  bugClass: z.enum(BUG_CLASSES),
  origin: z.string().nullable(),
  files: z.array(z.string()),
  effect: z.string().nullable(),
  task: z.string().nullable(),
  refusal: z.enum(REFUSALS).nullable(),
  detail: z.string(),
});

const fileSchema = z.object({
  version: z.literal(1),
  commit: z.string(),
  command: z.string(),
  image: z.string(),
  hideTests: z.boolean(),
  reruns: z.number(),
  leastComplexity: z.number().nullable(),
  tried: z.array(triedSchema),
});

/** Beside the tasks. */
const SYNTH_FILE = 'synth.json';

type SynthFile = z.infer<typeof fileSchema>;

/**
 * What earlier calls tried for the same commit, command and image; none where there is no file.
 *
 * @throws VivariumError `usage` for a folder of other tasks, or a file that cannot be read
 */
export async function readTried({ out, tree, plan }: SynthRequest): Promise<TriedCandidate[]> {
  const found = await readSynth(out);
  if (found === null) return [];
  const { commit, command, image, tried } = found;
  if (commit !== tree.commit || command !== plan.command || image !== plan.image) {
    throw otherFolder(`${out} holds tasks of another commit, command or image`, undefined);
  }
  return tried;
}

/**
 * What synthesis left beside its tasks; `null` = nothing.
 *
 * @throws VivariumError `usage` for a file that cannot be read
 */
export async function readSynth(out: string): Promise<SynthFile | null> {
  const file = path.join(out, SYNTH_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw otherFolder(`${file} cannot be read: ${messageOf(error)}`, error);
  }
  const found = fileSchema.safeParse(parsed(text));
  if (!found.success) throw otherFolder(`${file} is not of this command`, found.error);
  return found.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function otherFolder(message: string, cause: unknown): VivariumError {
  return new VivariumError('usage', message, 'Name another folder with --out.', cause);
}

/** Keeps what was tried until now. Throws the system's error. */
export async function keepTried(
  { out, tree, plan, hideTests, reruns, leastComplexity }: SynthRequest,
  tried: readonly TriedCandidate[],
  report: SynthReport,
): Promise<void> {
  const { command, image } = plan;
  const settings = { hideTests, reruns, leastComplexity: leastComplexity ?? null };
  const facts = { version: 1, commit: tree.commit, command, image, ...settings };
  const text = JSON.stringify({ ...facts, report, tried }, undefined, 1);
  await writeDurably(path.join(out, SYNTH_FILE), `${text}\n`);
}
