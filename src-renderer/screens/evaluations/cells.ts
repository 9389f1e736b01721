import type { CellRow, Ending, Outcome, RunReport } from '../../../src-main/contract/index.ts';
import type { StateOf } from '../../components/state-mark.tsx';
import type { CellsAsked } from '../../navigation.ts';

/** A cell of a run as the matrix shows it. */
export interface Cell {
  session: string;
  task: number;
  entry: number;
  seed: number;
  state: CellRow[4];
  outcome: Outcome | null;
  ending: Ending | null;
  steps: number;
  tries: number;
  premature: boolean;
  /** First step that looks like a way around the task. */
  suspect: number | null;
  label: string | null;
}

export type CellState = StateOf<'cell'>;

export const CELL_MARKS = ['premature', 'suspect', 'labelled', 'retried', 'flips'] as const;
export type CellMark = (typeof CELL_MARKS)[number];

/** A task with a place for each entry and seed; `null` = it has not begun. */
export interface TaskLine {
  task: number;
  name: string;
  cells: ReadonlyArray<Cell | null>;
}

export function cellOf(row: CellRow): Cell {
  const [session, task, entry, seed, state, outcome, ending, steps, tries, ...rest] = row;
  const [premature, suspect, label] = rest;
  return {
    ...{ session, task, entry, seed, state, outcome, ending, steps, tries },
    ...{ premature, suspect, label },
  };
}

/** Rows with those that changed put in their places; new ones at the end. */
export function withRows(rows: readonly CellRow[], changed: readonly CellRow[]): CellRow[] {
  if (changed.length === 0) return [...rows];
  const fresh = new Map(changed.map((row) => [row[0], row]));
  const kept = rows.map((row) => {
    const now = fresh.get(row[0]);
    fresh.delete(row[0]);
    return now ?? row;
  });
  return [...kept, ...fresh.values()];
}

/** What a cell shows: what became of it, or how far it is. */
export function stateOfCell(cell: Pick<Cell, 'state' | 'outcome'> | null): CellState {
  if (cell === null) return 'waiting';
  if (cell.state === 'infra') return 'infra';
  if (cell.state === 'running') return 'running';
  if (cell.state !== 'graded') return 'halted';
  return cell.outcome ?? 'never_fixed';
}

/** Where a cell stands in its line. */
export function placeOfCell(
  { entry, seed }: Pick<Cell, 'entry' | 'seed'>,
  seeds: readonly number[],
): number {
  return entry * seeds.length + seeds.indexOf(seed);
}

/** All tasks of a run in their order, with their cells by entry and seed. */
export function taskLines(
  { tasks, seeds, entries }: Pick<RunReport, 'tasks' | 'seeds' | 'entries'>,
  cells: readonly Cell[],
): TaskLine[] {
  const width = seeds.length * entries.length;
  const lines = tasks.map(() => Array.from({ length: width }, (): Cell | null => null));
  for (const cell of cells) {
    const line = lines[cell.task];
    if (line !== undefined) line[placeOfCell(cell, seeds)] = cell;
  }
  return lines.map((own, task) => ({ task, name: tasks[task] ?? '', cells: own }));
}

/** Whether a cell is one of those that are asked for; one that has not begun only where all are. */
export function isAsked(cell: Cell | null, line: TaskLine, asked: CellsAsked): boolean {
  const { entry, outcome, ending, mark } = asked;
  if (cell === null) {
    return (
      [entry, ending, mark].every((one) => one === undefined) &&
      (outcome ?? 'waiting') === 'waiting'
    );
  }
  return (
    (entry === undefined || cell.entry === entry) &&
    (outcome === undefined || stateOfCell(cell) === outcome) &&
    (ending === undefined || (cell.ending ?? 'none') === ending) &&
    (mark === undefined || hasMark(cell, line, mark))
  );
}

/** Lines with at least one cell that is asked for, and whose name holds the text. */
export function linesAsked(lines: readonly TaskLine[], asked: CellsAsked): TaskLine[] {
  const words = (asked.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(
    (line) =>
      words.every((word) => line.name.toLowerCase().includes(word)) &&
      line.cells.some((cell) => isAsked(cell, line, asked)),
  );
}

export function hasMark(cell: Cell, line: TaskLine, mark: string): boolean {
  switch (mark) {
    case 'premature':
      return cell.premature;
    case 'suspect':
      return cell.suspect !== null;
    case 'labelled':
      return cell.label !== null;
    case 'retried':
      return cell.tries > 1;
    case 'flips':
      return isFlip(cell, line);
    default:
      return true;
  }
}

/** Of a task that one seed of the entry solved and another did not. */
function isFlip({ entry, state }: Cell, { cells }: TaskLine): boolean {
  if (state !== 'graded') return false;
  const own = cells.filter((one) => one !== null && one.entry === entry && one.state === 'graded');
  return new Set(own.map((one) => one?.outcome === 'resolved')).size > 1;
}

/** How many cells there would be for each choice of a filter, the others as they are. */
export function countsBy(
  lines: readonly TaskLine[],
  asked: CellsAsked,
  member: 'outcome' | 'ending',
): Map<string, number> {
  const { [member]: _, ...others } = asked;
  const counts = new Map<string, number>();
  for (const line of linesAsked(lines, others)) {
    for (const cell of line.cells) {
      if (!isAsked(cell, line, others)) continue;
      const key = member === 'outcome' ? stateOfCell(cell) : (cell?.ending ?? 'none');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** Step of a cell's session to begin reading at: the one to doubt, else the last. */
export function stepToOpen({ suspect, steps }: Cell): number | null {
  return suspect ?? (steps > 0 ? steps : null);
}
