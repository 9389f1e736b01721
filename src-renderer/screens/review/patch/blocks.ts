import type { Change } from 'gitdiff-parser';

type Removed = Extract<Change, { type: 'delete' }>;
type Added = Extract<Change, { type: 'insert' }>;

/** Neighbours of a hunk: unchanged lines, or what was removed and what was added in its place. */
export type Block =
  | { kind: 'same'; changes: Change[] }
  | { kind: 'changed'; removed: Removed[]; added: Added[] };

export function blocksOf(changes: readonly Change[]): Block[] {
  const blocks: Block[] = [];
  for (const change of changes) {
    const last = blocks.at(-1);
    if (change.type === 'normal') {
      if (last?.kind === 'same') last.changes.push(change);
      else blocks.push({ kind: 'same', changes: [change] });
      continue;
    }
    // A removal after an addition begins something new.
    const goesOn = last?.kind === 'changed' && !(change.type === 'delete' && last.added.length > 0);
    const block: Extract<Block, { kind: 'changed' }> = goesOn
      ? last
      : { kind: 'changed', removed: [], added: [] };
    if (!goesOn) blocks.push(block);
    if (change.type === 'delete') block.removed.push(change);
    else block.added.push(change);
  }
  return blocks;
}

/** Removed and added lines in turns: side by side, each pair is a row. */
export function inPairs(changes: readonly Change[]): Change[] {
  return blocksOf(changes).flatMap((block) => {
    if (block.kind === 'same') return block.changes;
    const { removed, added } = block;
    const rows = Math.max(removed.length, added.length);
    return Array.from({ length: rows }, (_, at) => [removed[at], added[at]])
      .flat()
      .filter((change) => change !== undefined);
  });
}
