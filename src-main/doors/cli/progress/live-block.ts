import { displayWidth, truncateToWidth } from '../../../lib/index.ts';
import type { Console } from '../console.ts';

/** Terminal controls; the only ones Vivarium ever writes. */
/** Off while drawing: a line whose width was misjudged is cut by the terminal, not wrapped. */
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';
const ERASE_BELOW = '\x1b[J';
const ERASE_REST_OF_LINE = '\x1b[K';
const up = (rows: number): string => (rows === 0 ? '\r' : `\r\x1b[${rows}A`);

/** A few lines at the bottom of a terminal that are drawn over and over. */
export interface LiveBlock {
  /** Draws the block; `above` are lines that stay, put before it. */
  draw(lines: readonly string[], above?: readonly string[]): void;
  /** Erases the block and gives the terminal back as it was. */
  end(): void;
}

/**
 * Each draw is one write, from the block's first row down, so that nothing flickers. Lines have to
 * be safe to print.
 */
export function createLiveBlock(console: Console): LiveBlock {
  let drawn: string[] = [];

  /** Rows the block takes now: after the window became narrower its lines may have been wrapped. */
  function rowsTaken(columns: number): number {
    return drawn.reduce(
      (rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)),
      0,
    );
  }

  return {
    draw(lines, above = []) {
      const size = console.errSize();
      if (size === null) return;
      const { columns, rows } = size;
      const back = up(rowsTaken(columns));
      // One column and one row stay free: a full last row or column makes terminals scroll or wrap.
      drawn = lines
        .slice(0, Math.max(1, rows - 1))
        .map((line) => truncateToWidth(line, columns - 1));
      const kept = above.map((line) => `${line}${ERASE_REST_OF_LINE}\n`).join('');
      const block = drawn.map((line) => `${line}${ERASE_REST_OF_LINE}\n`).join('');
      console.err(
        `${back}${kept === '' ? '' : `${ERASE_BELOW}${kept}`}` +
          `${WRAP_OFF}${block}${WRAP_ON}${ERASE_BELOW}`,
      );
    },
    end() {
      const size = console.errSize();
      if (size !== null) console.err(`${up(rowsTaken(size.columns))}${ERASE_BELOW}`);
      drawn = [];
    },
  };
}
