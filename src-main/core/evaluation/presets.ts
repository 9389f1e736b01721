import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { samplingSchema } from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import { RESOURCES } from '../environment.ts';

const FOLDER = path.join(RESOURCES, 'presets');
const count = z.number().int().positive();

const presetSchema = z.strictObject({
  title: z.string(),
  /** Folder below `tasks/` of the data folder. */
  tasks: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  maxSteps: count,
  maxContextTokens: count,
  maxTokensPerTurn: count,
  timeLimitSeconds: z.number().positive(),
  sampling: samplingSchema.partial(),
  seeds: count,
});

/** A public benchmark with the settings that its results were published with. */
export type Preset = z.infer<typeof presetSchema> & { name: string };

/** Names of the presets, sorted. */
export async function presetNames(): Promise<string[]> {
  const names = await readdir(FOLDER);
  return names.flatMap((name) => /^([a-z0-9-]+)\.yaml$/.exec(name)?.[1] ?? []).toSorted();
}

/** The preset of a name; `null` when there is none. */
export async function readPreset(name: string): Promise<Preset | null> {
  if (!(await presetNames()).includes(name)) return null;
  const text = await readFile(path.join(FOLDER, `${name}.yaml`), 'utf8');
  return { ...presetSchema.parse(parse(text)), name };
}

/**
 * Where the tasks of a run are: a folder, or those of a preset.
 * @throws VivariumError `task_invalid` when the preset's data set is not here
 */
export async function findTasks(
  given: string,
  options: { home: string; data?: string | undefined },
): Promise<{ folder: string; preset: Preset | null }> {
  const preset = /[\\/.]/.test(given) ? null : await readPreset(given);
  if (preset === null) return { folder: path.resolve(given), preset: null };
  const folder = path.resolve(options.data ?? path.join(options.home, 'tasks', preset.tasks));
  const isThere = await readdir(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return { folder, preset };
  throw new VivariumError(
    'task_invalid',
    `the tasks of ${preset.title} are not at ${folder}`,
    'Import the data set into that folder with `vivarium tasks import`, or name another with --data.',
  );
}
