import type { Coverage } from '../types.ts';
import { MUTATORS } from './mutators.ts';
import type { Edit, Mutator, Unit } from './types.ts';
import { CLASS } from './node-tables.ts';
import { nodesOf } from './units.ts';

/** One change that can be made. */
export interface Site {
  mutator: Mutator;
  edit: Edit;
  /** 1-based. */
  line: number;
  covered: boolean;
}

/** All changes that can be made to a unit, in order of its nodes. */
export function sitesOf(unit: Unit, path: string, coverage: Coverage): Site[] {
  const on = CLASS[unit.language].has(unit.node.type) ? 'class' : 'function';
  const mutators = MUTATORS.filter(
    (mutator) => mutator.on === on && mutator.languages.includes(unit.language),
  );
  const lineAt = lineCounter(unit.source);
  const lines = coverage?.get(path);
  const sites: Site[] = [];
  for (const node of on === 'class' ? [unit.node] : nodesOf(unit)) {
    for (const mutator of mutators) {
      for (const edit of mutator.edits(node, unit)) {
        if (isSame(unit.source.slice(edit.start, edit.end), edit.text)) {
          continue;
        }
        const line = lineAt(edit.start);
        const covered = coverage === null || anyOf(line, lineAt(edit.end), lines);
        sites.push({ mutator, edit, line, covered });
      }
    }
  }
  return sites;
}

/** Whitespace alone makes no bug. */
function isSame(before: string, after: string): boolean {
  return before === after || before.trim() === after.trim();
}

function anyOf(from: number, to: number, lines: ReadonlySet<number> | undefined): boolean {
  if (!lines) {
    return false;
  }
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).some((line) =>
    lines.has(line),
  );
}

/** Number of the line a position is in. */
function lineCounter(source: string): (position: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  return (position) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
}
