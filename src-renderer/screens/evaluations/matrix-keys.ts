/** Where a key leads in a table of cells. Pure. */

export interface CellPosition {
  row: number;
  column: number;
}

export interface TableSize {
  rows: number;
  columns: number;
  /** Whole rows that fit on the screen. */
  page: number;
}

/** The cell a key leads to; `null` when the key is none of the table's, or the table is empty. */
export function positionAfterKey(
  { key, ctrl }: { key: string; ctrl: boolean },
  at: CellPosition,
  size: TableSize,
): CellPosition | null {
  if (size.rows === 0 || size.columns === 0) return null;
  const moved = moveOf(key, ctrl, at, size);
  if (moved === null) return null;
  return {
    row: Math.min(size.rows - 1, Math.max(0, moved.row)),
    column: Math.min(size.columns - 1, Math.max(0, moved.column)),
  };
}

function moveOf(
  key: string,
  ctrl: boolean,
  { row, column }: CellPosition,
  { rows, columns, page }: TableSize,
): CellPosition | null {
  const step = Math.max(1, page - 1);
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { row: row + 1, column };
    case 'ArrowUp':
    case 'k':
      return { row: row - 1, column };
    case 'ArrowRight':
      return { row, column: column + 1 };
    case 'ArrowLeft':
      return { row, column: column - 1 };
    case 'PageDown':
      return { row: row + step, column };
    case 'PageUp':
      return { row: row - step, column };
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrl ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
