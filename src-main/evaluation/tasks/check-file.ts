import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../lib/index.ts';
import type { Task } from './types.ts';

const runSchema = z.object({
  /** The tree as it is, or with the known fix. */
  state: z.enum(['base', 'fix']),
  /** Seed of the order of tests; `null` = the order of the files. */
  order: z.number().nullable(),
  resolved: z.boolean(),
  /** Expected tests that did as they should in this state; `null` = the task names none. */
  asExpected: z.object({ met: z.number(), of: z.number() }).nullable(),
  seconds: z.number(),
  infra: z.string().nullable(),
});

export const taskCheckSchema = z.object({
  name: z.string(),
  /** Of the task that was checked; with another hash this says nothing. */
  hash: z.string(),
  ok: z.boolean(),
  /** Why it is not fit for use. */
  problems: z.array(z.string()),
  /** Worth a look, and no reason to leave it out. */
  warnings: z.array(z.string()),
  /** Tests that did not do the same every time. */
  flaky: z.array(z.string()),
  /** The flaky ones were taken off the task's lists; the hash is that of the task without them. */
  dropped: z.boolean(),
  runs: z.array(runSchema),
  /** Milliseconds since 1970. */
  at: z.number(),
});

/** What a check of a task found; evidence only for the very same content. */
export type TaskCheck = z.infer<typeof taskCheckSchema>;
export type CheckRun = z.infer<typeof runSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  tasks: z.record(z.string(), taskCheckSchema),
});

/** Beside the folders of the tasks: it is no part of what it tells of. */
export const CHECK_FILE = 'check.json';

/** Results of earlier checks by name; one of another content, or from a file that cannot be read, is none. */
export async function readChecks(tasks: readonly Task[]): Promise<Map<string, TaskCheck>> {
  const found = new Map<string, TaskCheck>();
  for (const folder of new Set(tasks.map((task) => path.dirname(task.folder)))) {
    const known = await readFileOf(folder);
    for (const task of tasks) {
      const check = path.dirname(task.folder) === folder ? known[task.name] : undefined;
      if (check?.hash === task.hash) found.set(task.name, check);
    }
  }
  return found;
}

/** Keeps a result beside the task; those of other tasks stay. Throws the system's error. */
export async function keepCheck(task: Task, check: TaskCheck): Promise<void> {
  const folder = path.dirname(task.folder);
  const tasks = { ...(await readFileOf(folder)), [task.name]: check };
  const text = `${JSON.stringify({ version: 1, tasks }, undefined, 1)}\n`;
  await writeDurably(path.join(folder, CHECK_FILE), text);
}

async function readFileOf(folder: string): Promise<Record<string, TaskCheck>> {
  const text = await readFile(path.join(folder, CHECK_FILE), 'utf8').catch(() => '{}');
  try {
    return fileSchema.parse(JSON.parse(text)).tasks;
  } catch {
    return {};
  }
}
