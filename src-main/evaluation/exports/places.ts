import type { ExportSource } from './types.ts';

/** A part of a path for an entry of a run; its number keeps it unique: `1-frog-x-leaf`. */
export function entryName({ created }: Pick<ExportSource, 'created'>, entry: number): string {
  const label = created.entries[entry]?.label ?? '';
  const plain = label
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return `${entry + 1}-${plain === '' ? 'entry' : plain}`;
}

/** Folder of an entry: the export's own where the run has but one. */
export function entryFolder(source: ExportSource, entry: number): string[] {
  return source.created.entries.length === 1 ? [] : [entryName(source, entry)];
}

/** Folder of an entry and seed: the export's own where the run has but one of each. */
export function seedFolder(source: ExportSource, entry: number, seed: number): string[] {
  const { seeds } = source.created;
  return [...entryFolder(source, entry), ...(seeds.length === 1 ? [] : [`seed-${seed}`])];
}

/** What a cell is called in notes. */
export function cellLabel(
  { created }: ExportSource,
  cell: { task: string; entry: number; seed: number },
): string {
  return `${cell.task} (${created.entries[cell.entry]?.label ?? '?'}, seed ${cell.seed})`;
}
