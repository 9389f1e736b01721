import { sha256 } from '../../lib/index.ts';
import type { Candidate, FileChange } from '../types.ts';
import { fullQuota, type Quotas } from './quotas.ts';

/** A validated bug. */
export interface Selectable {
  candidate: Candidate;
  /** Names of the tests that it breaks. */
  failing: readonly string[];
}

export interface Selection<Item> {
  kept: Item[];
  leftOut: { item: Item; why: string }[];
}

/**
 * Takes bugs in their order, without those that are there already (the same change but for blanks;
 * the same tests broken at the same place) and without those whose quota is full.
 */
export function select<Item extends Selectable>(
  items: readonly Item[],
  quotas: Quotas,
): Selection<Item> {
  const kept: Item[] = [];
  const leftOut: Selection<Item>['leftOut'] = [];
  const changes = new Set<string>();
  const effects = new Set<string>();
  for (const item of items) {
    const change = changeKey(item.candidate);
    const effect = effectKey(item);
    const why =
      (changes.has(change) ? 'the same change' : undefined) ??
      (effects.has(effect) ? 'the same tests broken at the same place' : undefined) ??
      fullQuota(counted(item), kept.map(counted), quotas);
    if (why !== undefined) {
      leftOut.push({ item, why });
      continue;
    }
    changes.add(change);
    effects.add(effect);
    kept.push(item);
  }
  return { kept, leftOut };
}

function counted({ candidate: { bugClass, changes } }: Selectable) {
  return { bugClass, files: changes.map(({ path }) => path) };
}

function changeKey({ changes }: Candidate): string {
  const parts = changes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, before, after }) => [path, bare(before), bare(after)]);
  return sha256(JSON.stringify(parts));
}

/** Blanks inside and after lines say nothing, those before them do in Python. */
function bare(file: FileChange['before']): string | null {
  if (file === null) return null;
  const lines = Buffer.from(file.content).toString('latin1').split('\n');
  const normal = lines.map((line) => {
    const code = line.trimStart();
    return line.slice(0, line.length - code.length) + code.replace(/\s+/g, '');
  });
  return sha256(`${file.mode}\n${normal.filter((line) => line.trim() !== '').join('\n')}`);
}

function effectKey({ candidate, failing }: Selectable): string {
  const places = candidate.places.map(({ path, line }) => `${path}:${line}`);
  return JSON.stringify([places.toSorted(), failing.toSorted()]);
}
