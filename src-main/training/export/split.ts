import { sha256 } from '../../lib/index.ts';
import type { Split } from './types.ts';

export interface KnownTask {
  name: string;
  hash: string;
}

/**
 * For each task the key of its family: tasks of one name or one content are one family, since two
 * versions of a task on both sides would let the validation see what was learned by heart.
 */
export function families(tasks: readonly KnownTask[]): (task: KnownTask) => string {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  const ofName = ({ name }: KnownTask) => `name ${name}`;
  const ofHash = ({ hash }: KnownTask) => `hash ${hash}`;
  for (const task of tasks) {
    // The smaller one stays: the key does not depend on the order of the runs.
    const [least = '', other = ''] = [rootOf(ofName(task)), rootOf(ofHash(task))].toSorted();
    if (least !== other) parents.set(other, least);
  }
  return (task) => rootOf(ofHash(task));
}

/** The side of a family: the same for every export with this seed and share. */
export function sideOf(family: string, share: number, seed: number): Split {
  const drawn = Number.parseInt(sha256(`${seed} ${family}`).slice(0, 12), 16) / 2 ** 48;
  return drawn < share ? 'validation' : 'train';
}
