import type { Change } from 'gitdiff-parser';
import { cutLine, type Piece } from '../../../components/code/lines.ts';
import type { Span } from './edits.ts';

/** A piece of a line of a diff. */
export type LineToken =
  | { type: 'text'; value: string; className: string | null; edited: boolean }
  /** Stands for the rest of a line that is too long to be drawn. */
  | { type: 'cut'; line: string; rest: number };

/** Lines by their number less one, as the drawing library asks for them; full of holes. */
export interface ChunkTokens {
  old: LineToken[][];
  new: LineToken[][];
}

/** Coloured lines of one side; `null` = not coloured (yet). */
export interface Colours {
  old: Piece[][] | null;
  new: Piece[][] | null;
}

/** The lines of one side of some changes. */
export function sideOf(changes: readonly Change[], side: 'old' | 'new'): Change[] {
  const left = side === 'old' ? 'insert' : 'delete';
  return changes.filter(({ type }) => type !== left);
}

/** What is drawn for each line of a chunk. */
export function tokensOf(
  changes: readonly Change[],
  colours: Colours,
  edits: ReadonlyMap<string, Span>,
  keyOf: (change: Change) => string,
): ChunkTokens {
  const tokens: ChunkTokens = { old: [], new: [] };
  for (const side of ['old', 'new'] as const) {
    for (const [at, change] of sideOf(changes, side).entries()) {
      const pieces = colours[side]?.[at] ?? null;
      tokens[side][numberOf(change, side) - 1] = lineTokens(
        change.content,
        pieces,
        edits.get(keyOf(change)),
      );
    }
  }
  return tokens;
}

export function lineTokens(line: string, pieces: Piece[] | null, edit?: Span): LineToken[] {
  const { shown, rest } = cutLine(line);
  if (rest > 0) return [plain(shown), { type: 'cut', line, rest }];
  const coloured = pieces ?? [{ text: line, className: null }];
  if (edit === undefined) {
    return coloured.map(({ text, className }) => ({ ...plain(text), className }));
  }
  return withEdit(coloured, edit);
}

function withEdit(pieces: readonly Piece[], [from, to]: Span): LineToken[] {
  const tokens: LineToken[] = [];
  let at = 0;
  for (const { text, className } of pieces) {
    const cuts = [0, from - at, to - at, text.length].map((cut) =>
      Math.max(0, Math.min(text.length, cut)),
    );
    for (const [index, edited] of [false, true, false].entries()) {
      const value = text.slice(cuts[index], cuts[index + 1]);
      if (value !== '') tokens.push({ ...plain(value), className, edited });
    }
    at += text.length;
  }
  return tokens;
}

function plain(value: string): Extract<LineToken, { type: 'text' }> {
  return { type: 'text', value, className: null, edited: false };
}

function numberOf(change: Change, side: 'old' | 'new'): number {
  if (change.type !== 'normal') return change.lineNumber;
  return side === 'old' ? change.oldLineNumber : change.newLineNumber;
}
