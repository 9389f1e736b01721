import { foldersAbove } from './changes.ts';
import type { PatchHunk, PatchPart } from './split-patch.ts';

/** The smallest piece of a patch that a person can take or leave. */
export interface PatchUnit {
  /** `FILE_INDEX.HUNK_INDEX`, or `FILE_INDEX` for a part that is taken or left as a whole. */
  id: string;
  part: number;
  /** `undefined` for a whole part. */
  hunk: PatchHunk | undefined;
}

/** The pieces of a patch in its order. */
export function patchUnits(parts: readonly PatchPart[]): PatchUnit[] {
  return parts.flatMap((part, index): PatchUnit[] => {
    if (part.whole) return [{ id: String(index), part: index, hunk: undefined }];
    return part.hunks.map((hunk, at) => ({ id: `${index}.${at}`, part: index, hunk }));
  });
}

/**
 * The part of a patch without the pieces that are left out. It applies wherever the whole patch
 * does: hunks keep their old lines, and only where they land in the new file is counted anew. With
 * nothing left out it is the patch itself, byte for byte.
 *
 * The `index` line of a file that lost hunks still names the content with all of them, as `git add
 * --patch` leaves it, too: git looks at the new name for binaries only, and needs the old one for a
 * three-way merge.
 */
export function composePatch(
  parts: readonly PatchPart[],
  isLeftOut: (id: string) => boolean,
): Buffer {
  const pieces = parts.flatMap((part, index) => {
    if (part.whole) return isLeftOut(String(index)) ? [] : [part.bytes];
    const kept = part.hunks.map((_, at) => !isLeftOut(`${index}.${at}`));
    if (kept.every(Boolean)) return [part.bytes];
    return kept.some(Boolean) ? [part.head, ...shifted(part.hunks, kept)] : [];
  });
  return Buffer.concat(pieces);
}

/** The kept hunks, moved by what the left-out ones before them no longer add or remove. */
function shifted(hunks: readonly PatchHunk[], kept: readonly boolean[]): Uint8Array[] {
  let missing = 0;
  const pieces: Uint8Array[] = [];
  for (const [at, hunk] of hunks.entries()) {
    if (kept[at] === true) pieces.push(missing === 0 ? hunk.bytes : moved(hunk, -missing));
    else missing += hunk.newCount - hunk.oldCount;
  }
  return pieces;
}

function moved(hunk: PatchHunk, by: number): Uint8Array {
  const bytes = Buffer.from(hunk.bytes.buffer, hunk.bytes.byteOffset, hunk.bytes.byteLength);
  // The first ` +` of the line: before it there are only digits and a comma.
  const number = bytes.indexOf(' +') + 2;
  const end = number + String(hunk.newStart).length;
  const start = Buffer.from(String(hunk.newStart + by));
  return Buffer.concat([bytes.subarray(0, number), start, bytes.subarray(end)]);
}

/**
 * For each part all parts that can only go together with it, itself included: where a file makes way
 * for a folder of its name, or the other way round, one without the other does not apply.
 */
export function coupledParts(parts: readonly PatchPart[]): number[][] {
  const owner = parts.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (owner[root] !== root) root = owner[root] ?? root;
    return root;
  };
  const byName = new Map<string, number>();
  const join = (name: string, index: number): void => {
    const other = byName.get(name);
    if (other !== undefined) owner[rootOf(index)] = rootOf(other);
  };
  for (const [index, part] of parts.entries()) {
    for (const name of namesOf(part)) {
      join(name, index);
      byName.set(name, index);
    }
  }
  for (const [index, part] of parts.entries()) {
    for (const name of namesOf(part)) {
      for (const folder of foldersAbove(name)) join(folder, index);
    }
  }
  const groups = new Map<number, number[]>();
  for (const index of parts.keys()) {
    const root = rootOf(index);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [index]);
    else group.push(index);
  }
  return parts.map((_, index) => groups.get(rootOf(index)) ?? [index]);
}

function namesOf({ path, oldPath }: PatchPart): string[] {
  return oldPath === null ? [path] : [path, oldPath];
}
