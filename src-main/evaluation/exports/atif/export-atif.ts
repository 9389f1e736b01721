import { VivariumError } from '../../../lib/index.ts';
import type { OutFolder } from '../out-folder.ts';
import { cellLabel, entryFolder } from '../places.ts';
import { readCell } from '../read-cell.ts';
import { jsonFile, jsonText } from '../text.ts';
import type { CellRecord, ExportSource } from '../types.ts';
import { atifSchema, type Atif } from './schema.ts';
import { atifOf } from './trajectory.ts';

/**
 * `ID/seed-N/trajectory.json` for each cell, below a folder of its entry where there are several.
 * Nothing is written that the format's rules refuse.
 */
export async function exportAtif(
  source: ExportSource,
  out: OutFolder,
  notes: string[],
): Promise<number> {
  let done = 0;
  for (const cell of source.cells) {
    const record = readCell(source, cell);
    const trajectory = record === null ? null : atifTrajectory(source, record);
    if (record === null || trajectory === null) {
      notes.push(`left out: ${cellLabel(source, cell)}: it ended before its first message`);
      continue;
    }
    const folder = [...entryFolder(source, cell.entry), record.id, `seed-${cell.seed}`];
    await out.write([...folder, 'trajectory.json'], jsonFile(trajectory));
    done += 1;
  }
  return done;
}

/**
 * The last try of a cell as ATIF v1.8; `null` when it ended before its first message.
 * @throws VivariumError `internal` for what the format's rules refuse
 */
export function atifTrajectory(source: ExportSource, record: CellRecord): Atif | null {
  const trajectory = atifOf(record, source);
  if (trajectory === null) return null;
  const checked = atifSchema.safeParse(JSON.parse(jsonText(trajectory)));
  if (!checked.success) throw notAtif(cellLabel(source, record.cell), checked.error);
  return trajectory;
}

function notAtif(label: string, cause: Error): VivariumError {
  return new VivariumError(
    'internal',
    `the trajectory of ${label} does not keep to ATIF`,
    'Report this as a fault of Vivarium.',
    cause,
  );
}
