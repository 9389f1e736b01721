/** A very small terminal for tests: wraps, reflows, and knows the controls that Vivarium writes. */
import { displayWidth } from '../../../lib/index.ts';
import type { Console } from '../console.ts';

/** The second column of a wide character. */
const CONTINUED = '';

export class Screen {
  /** Every write, to judge flicker by. */
  readonly writes: string[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly height: number;
  private cells: string[][] = [[]];
  private columns: number;
  private row = 0;
  private column = 0;
  private wrap = true;

  constructor(columns: number, height = 24) {
    this.columns = columns;
    this.height = height;
  }

  /** All rows ever shown, trailing blanks and empty rows at the end removed. */
  rows(): string[] {
    const all = this.cells.map((line) => line.join('').trimEnd());
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  }

  /** As most terminals do it: rows that became too long are broken. */
  resize(columns: number): void {
    this.columns = columns;
    const cursor = this.cells[this.row];
    this.cells = this.cells.flatMap((line) => {
      const parts = [line];
      for (let last = line; last.length > columns; parts.push(last)) last = last.splice(columns);
      return parts;
    });
    this.row = cursor === undefined ? 0 : this.cells.indexOf(cursor);
    for (const listener of this.listeners) listener();
  }

  readonly console: Console = {
    env: {},
    out: () => undefined,
    err: (text) => this.write(text),
    outColumns: () => null,
    outGone: new AbortController().signal,
    errSize: () => ({ columns: this.columns, rows: this.height }),
    onErrResize: (listener) => {
      this.listeners.add(listener);
      return () => void this.listeners.delete(listener);
    },
  };

  private write(text: string): void {
    this.writes.push(text);
    // eslint-disable-next-line no-control-regex -- a terminal has to know them
    for (const [piece, parameters, final] of text.matchAll(/\x1b\[([?\d]*)([A-Za-z])|[^]/gu)) {
      if (final !== undefined) this.control(parameters ?? '', final);
      else if (piece === '\r') this.column = 0;
      else if (piece === '\n') this.lineFeed();
      else if (piece < ' ') throw new Error(`a raw control character: ${JSON.stringify(piece)}`);
      else this.put(piece);
    }
  }

  private lineFeed(): void {
    this.row += 1;
    this.column = 0;
    while (this.cells.length <= this.row) this.cells.push([]);
  }

  private put(character: string): void {
    const size = displayWidth(character);
    if (this.column + size > this.columns) {
      // Without wrapping, nothing is shown beyond the last column.
      if (!this.wrap) return;
      this.lineFeed();
    }
    const line = this.cells[this.row] ?? [];
    while (line.length < this.column) line.push(' ');
    line.splice(this.column, size, ...[character, CONTINUED].slice(0, size));
    this.column += size;
  }

  private control(parameters: string, final: string): void {
    const isErasing = final === 'K' || final === 'J';
    if (isErasing) this.cells[this.row]?.splice(this.column);
    if (final === 'J') this.cells.splice(this.row + 1);
    else if (final === 'A') this.row = Math.max(0, this.row - Number(parameters || 1));
    else if (parameters === '?7') this.wrap = final === 'h';
    else if (!isErasing)
      throw new Error(`an unknown control: ${JSON.stringify(parameters + final)}`);
  }
}
