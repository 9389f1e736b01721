import type { Change } from 'gitdiff-parser';

/** Lines that are drawn and coloured together: one frame's work at most. */
export const CHUNK_LINES = 16;

/** Cuts a hunk into pieces that are drawn each by itself; preferably where nothing changes. */
export function chunksOf(changes: readonly Change[]): Change[][] {
  const chunks: Change[][] = [];
  for (let at = 0; at < changes.length;) {
    const end = endOf(changes, at);
    chunks.push(changes.slice(at, end));
    at = end;
  }
  return chunks;
}

function endOf(changes: readonly Change[], start: number): number {
  const wanted = start + CHUNK_LINES;
  if (changes.length - wanted < CHUNK_LINES / 4) return changes.length;
  for (let at = wanted; at > start + CHUNK_LINES / 2; at -= 1) {
    if (changes[at]?.type === 'normal' && changes[at - 1]?.type === 'normal') return at;
  }
  // Side by side, a removed line and the one in its place stay together.
  return changes[wanted - 1]?.type === 'delete' && changes[wanted]?.type === 'insert'
    ? wanted + 1
    : wanted;
}
