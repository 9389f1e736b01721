import type { RunCell } from '../../contract/index.ts';
import type { OutFolder } from './out-folder.ts';
import { cellLabel, entryName } from './places.ts';
import { readCell } from './read-cell.ts';
import { jsonText, textOf } from './text.ts';
import type { ExportSource } from './types.ts';

/**
 * Predictions as SWE-bench's harness takes them: a list in `.json` and lines in `.jsonl` for each
 * entry and seed. There, an empty patch and none are counted and never run; an id without a line is
 * counted as not there. So what changed nothing is `""`, what nothing is known of is `null`, and what
 * has not ended is left out. Patches that are not UTF-8 cannot be in JSON: `null`, a note, and their
 * bytes in `patches/`.
 */
export async function exportPredictions(
  source: ExportSource,
  out: OutFolder,
  notes: string[],
): Promise<number> {
  let done = 0;
  for (const entry of source.created.entries.keys()) {
    for (const seed of source.created.seeds) {
      const cells = source.cells.filter((cell) => cell.entry === entry && cell.seed === seed);
      done += await exportOne(source, cells, { entry, seed }, out, notes);
    }
  }
  return done;
}

async function exportOne(
  source: ExportSource,
  cells: readonly RunCell[],
  { entry, seed }: { entry: number; seed: number },
  out: OutFolder,
  notes: string[],
): Promise<number> {
  const name = `${entryName(source, entry)}.seed-${seed}`;
  const list = await out.append([`${name}.json`]);
  const lines = await out.append([`${name}.jsonl`]);
  const model = source.created.entries[entry]?.label ?? '?';
  let written = 0;
  for (const cell of cells) {
    if (cell.state !== 'graded' && cell.state !== 'infra') {
      notes.push(`left out: ${cellLabel(source, cell)}: it has not ended (${cell.state})`);
      continue;
    }
    const patch = await patchOf(source, cell, ['patches', name], out, notes);
    const row = jsonText({
      instance_id: cell.task,
      model_name_or_path: model,
      model_patch: patch,
    });
    await list.write(`${written === 0 ? '[' : ','}\n${row}`);
    await lines.write(`${row}\n`);
    written += 1;
  }
  await list.write(written === 0 ? '[]\n' : '\n]\n');
  return written;
}

async function patchOf(
  source: ExportSource,
  cell: RunCell,
  folder: readonly string[],
  out: OutFolder,
  notes: string[],
): Promise<string | null> {
  const record = readCell(source, cell);
  if (cell.state === 'infra' || record === null) {
    notes.push(`no patch: ${cellLabel(source, cell)}: nothing is known of the model`);
    return null;
  }
  const text = textOf(record.patch);
  if (text !== null) return text;
  const file = [...folder, `${record.id}.patch`];
  await out.write(file, record.patch);
  const where = file.join('/');
  notes.push(
    `no patch: ${cellLabel(source, cell)}: it is not UTF-8, JSON cannot hold it; see ${where}`,
  );
  return null;
}
