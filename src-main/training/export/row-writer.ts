import {
  atifTrajectory,
  jsonFile,
  jsonText,
  type OutFile,
  type OutFolder,
} from '../../evaluation/index.ts';
import { createTaskCopier } from './copy-task.ts';
import { attemptName } from './harbor-result.ts';
import type { Split, Trajectory, TrainFormat, TrainRow } from './types.ts';

/** Writes a row and returns its file below the export; `null`: its task is there no more. */
export type WriteRow = (row: TrainRow) => Promise<string | null>;

/** How the rows of a form lie in the folder of an export. */
export async function rowWriter(
  format: TrainFormat,
  splits: readonly Split[],
  out: OutFolder,
): Promise<WriteRow> {
  if (format === 'harbor') return harborWriter(out);
  if (format === 'atif') return atifWriter(out);
  const files = new Map<Split, OutFile>();
  for (const split of splits) files.set(split, await out.append([`${split}.jsonl`]));
  return async (row) => {
    await files.get(row.split)?.write(lineOf(row.value));
    return `${row.split}.jsonl`;
  };
}

/** `SPLIT/TASK/ATTEMPT/trajectory.json`. */
function atifWriter(out: OutFolder): WriteRow {
  return async (row) => {
    const attempt = attemptOf(row);
    const parts = [row.split, attempt.record.id, attemptName(attempt), 'trajectory.json'];
    await out.write(parts, jsonFile(row.value));
    return parts.join('/');
  };
}

/** `SPLIT/tasks/TASK` is the task, `SPLIT/attempts/TASK/ATTEMPT` what came of it. */
function harborWriter(out: OutFolder): WriteRow {
  const copyTask = createTaskCopier(out);
  return async (row) => {
    const attempt = attemptOf(row);
    const task = await copyTask(attempt, row.split);
    if (task === null) return null;
    const folder = [row.split, 'attempts', task, attemptName(attempt)];
    await out.write([...folder, 'result.json'], jsonFile(row.value));
    const atif = atifTrajectory(attempt.source, attempt.record);
    if (atif !== null) await out.write([...folder, 'trajectory.json'], jsonFile(atif));
    const { patch } = attempt.record;
    if (patch.length > 0) await out.write([...folder, 'model.patch'], patch);
    return [...folder, 'result.json'].join('/');
  };
}

function attemptOf({ attempt }: TrainRow): Trajectory {
  if (attempt === null) throw new Error('a pair has no folder of its own');
  return attempt;
}

/** Readers that take these characters for ends of lines must not see them. */
export function lineOf(value: unknown): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${jsonText(value).replaceAll(/[\u0085\u2028\u2029]/g, escaped)}\n`;
}
