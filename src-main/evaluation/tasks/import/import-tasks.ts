import path from 'node:path';
import { messageOf, VivariumError } from '../../../lib/index.ts';
import { taskInvalid } from '../invalid.ts';
import { readTaskSet } from '../read-task-set.ts';
import type { NewTask, Task } from '../types.ts';
import { writeTask } from '../write-task.ts';
import { copyHarborTask } from './harbor.ts';
import { patchEvalTask, patchEvalVariant, type PatchEvalVariant } from './patcheval.ts';
import type { Row } from './row.ts';
import { BadRow, readRows } from './rows.ts';
import { sweBenchProTask } from './swe-bench-pro.ts';
import { sweBenchTask } from './swe-bench.ts';

export const TASK_FORMATS = ['swe-bench', 'swe-bench-pro', 'terminal-bench', 'patcheval'] as const;
export type TaskFormat = (typeof TASK_FORMATS)[number];

export interface ImportRequest {
  format: TaskFormat;
  /** File or folder of the data set. */
  source: string;
  /** Folder that the tasks are written to; made where it is missing. */
  out: string;
  limit?: number | undefined;
  /** Ids; unknown ones are an error. */
  only?: readonly string[] | undefined;
  /** Part of a folder of splits. */
  split?: string | undefined;
  /** Namespace of images, for rows without an image (SWE-bench 2 to 4). */
  namespace?: string | undefined;
  /** SWE-bench Pro's folder `run_scripts`. */
  runScripts?: string | undefined;
  /** PatchEval's; default: what the file's name says. */
  variant?: PatchEvalVariant | undefined;
  /** Terminal-Bench: see `HarborOptions`. */
  offlineVerifier?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onTask?: (name: string, done: number, total: number) => void;
}

export interface ImportReport {
  out: string;
  written: { name: string; image: string | null; notes: string[] }[];
  refused: { id: string; reason: string }[];
}

/**
 * Makes Harbor directories of a data set. A row that cannot be one is listed with the reason and
 * stops nothing.
 *
 * @throws VivariumError `task_invalid` when the data set cannot be read, or no row became a task
 */
export async function importTasks(request: ImportRequest): Promise<ImportReport> {
  const items = await itemsOf(request);
  const chosen = choose(items, request);
  const report: ImportReport = { out: request.out, written: [], refused: [] };
  for (const [at, { id, write }] of chosen.entries()) {
    request.signal?.throwIfAborted();
    try {
      const { task, notes } = await write();
      report.written.push({ name: task.name, image: task.image.reference, notes });
    } catch (error) {
      // Told row by row; a full disk or a fault of ours ends the import.
      if (!(error instanceof VivariumError) || !isRowFault(error)) throw error;
      report.refused.push({ id, reason: messageOf(error) });
    }
    request.onTask?.(id, at + 1, chosen.length);
  }
  if (report.written.length > 0) return report;
  const first = report.refused[0];
  throw taskInvalid(
    `no row became a task${first ? `; ${first.id}: ${first.reason}` : ''}`,
    'Check --format, --only and the data set.',
  );
}

function isRowFault({ code, message }: VivariumError): boolean {
  return (
    code === 'task_invalid' || (code === 'out_unwritable' && message.endsWith('there already'))
  );
}

interface Item {
  id: string;
  write(): Promise<{ task: Task; notes: string[] }>;
}

async function itemsOf(request: ImportRequest): Promise<Item[]> {
  if (request.format === 'terminal-bench') return harborItems(request);
  const rows = await readRows(request.source, request.split);
  const make = makerOf(request);
  return rows.map((row, at) =>
    row instanceof BadRow
      ? badItem(row.file, row.reason)
      : {
          id: idOf(row) ?? `row ${at + 1}`,
          write: async () => ({ task: await writeTask(request.out, await make(row)), notes: [] }),
        },
  );
}

function badItem(id: string, reason: string): Item {
  return {
    id,
    write: () => {
      throw taskInvalid(reason, 'Leave it out.');
    },
  };
}

function makerOf(request: ImportRequest): (row: Row) => NewTask | Promise<NewTask> {
  const { namespace, runScripts } = request;
  if (request.format === 'swe-bench') return (row) => sweBenchTask(row, { namespace });
  if (request.format === 'swe-bench-pro') return (row) => sweBenchProTask(row, { runScripts });
  const variant = request.variant ?? patchEvalVariant(request.source);
  return (row) => patchEvalTask(row, variant);
}

function idOf(row: Row): string | undefined {
  const id = row['instance_id'] ?? row['cve_id'];
  return typeof id === 'string' ? id : undefined;
}

async function harborItems(request: ImportRequest): Promise<Item[]> {
  const { tasks, refused } = await readTaskSet(request.source);
  const options = { offlineVerifier: request.offlineVerifier === true };
  const good = tasks.map((source) => ({
    id: source.name,
    write: async () => {
      const { task, uses, modified } = await copyHarborTask(source, request.out, options);
      const notes = uses.map(({ line, what }) => `tests/test.sh line ${line}: ${what}`);
      return { task, notes: modified ? ['modified verifier'] : notes };
    },
  }));
  const bad = refused.map(({ folder, reason }) => badItem(path.basename(folder), reason));
  return [...good, ...bad];
}

function choose(items: readonly Item[], { only, limit }: ImportRequest): Item[] {
  const wanted = only === undefined ? undefined : new Set(only);
  const missing = [...(wanted ?? [])].filter((id) => !items.some((item) => item.id === id));
  if (missing.length > 0) {
    throw taskInvalid(`the data set has no ${missing.join(', ')}`, 'Check the ids after --only.');
  }
  const chosen = items.filter(({ id }) => wanted?.has(id) ?? true);
  return limit === undefined ? chosen : chosen.slice(0, limit);
}
