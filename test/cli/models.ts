/** What the tests of `vivarium models` share. */
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { run, type Ended, type Place } from './command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const TADPOLE = path.join(ROOT, 'resources', 'models', 'tadpole.gguf');

/** `vivarium models ...`. */
export function models(place: Place, ...words: string[]): Promise<Ended> {
  return run(place, 'models', ...words);
}

/** The model file in a folder of its own, as on a stick. */
export async function stick(place: Place): Promise<string> {
  const folder = path.join(place.folder, 'stick');
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'tadpole.gguf');
  await copyFile(TADPOLE, file);
  return file;
}

/** Takes the model into the library of the place. */
export async function takeTadpole(place: Place): Promise<void> {
  const { code, stderr } = await models(place, 'add', await stick(place));
  if (code !== 0) throw new Error(`the model was not taken: ${stderr}`);
}

/** What `--json` printed: exactly what the schema knows, nothing more at any depth. */
export function parsed<S extends z.ZodType>(schema: S, { stdout }: Ended): z.infer<S> {
  const value: unknown = JSON.parse(stdout);
  const known = schema.parse(value);
  // Schemas leave out what they do not know: then the two would differ.
  if (JSON.stringify(sorted(known)) !== JSON.stringify(sorted(value))) {
    throw new Error(`--json printed what the contract does not know: ${stdout}`);
  }
  return known;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

/** The failure that `--json` printed. */
export function failure({ stdout }: Ended): { code: string; message: string; next: string } {
  return (JSON.parse(stdout) as { error: { code: string; message: string; next: string } }).error;
}

/** Processes that belong to the data folder: keepers by their environment, servers by their argv. */
async function processesOf({ home }: Place): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const [environment, command] = await Promise.all(
      ['environ', 'cmdline'].map((file) =>
        readFile(path.join('/proc', pid, file), 'latin1').catch(() => ''),
      ),
    );
    if (environment?.includes(home) || command?.includes(home)) {
      found.push(`${pid} ${(command ?? '').replaceAll('\0', ' ')}`);
    }
  }
  return found;
}

/** Rule 7: no process of the data folder is left within this time. */
export async function untilNothingRuns(place: Place, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const left = await processesOf(place);
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`still there:\n${left.join('\n')}`);
    await sleep(50);
  }
}
