import { VivariumError } from '../../lib/index.ts';

const SAFE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

export function isSafeName(name: string): boolean {
  return SAFE.test(name) && !name.endsWith('.') && !DEVICE.test(name);
}

/** A safe name made of any text; `model` when nothing of it is left. */
export function safeName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, '');
  return isSafeName(plain) ? plain : 'model';
}

/** @throws VivariumError `usage` for a name that is no plain file name */
export function checkName(name: string): void {
  if (isSafeName(name)) return;
  throw new VivariumError(
    'usage',
    `"${name}" cannot be the name of a model.`,
    `Use up to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or digit: ${safeName(name)}.`,
  );
}

/** The names that are most like one that does not exist, best first; at most three. */
export function closeNames(wanted: string, names: readonly string[]): string[] {
  const plain = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: distance(plain, name) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
    .toSorted((a, b) => a.distance - b.distance || Number(a.name > b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

function distance(wanted: string, name: string): number {
  if (wanted.length >= 3 && (name.includes(wanted) || wanted.includes(name))) return 0.5;
  return edits(wanted, name);
}

/** Letters to insert, remove or replace (Levenshtein). */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 0; at < a.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= b.length; index += 1) {
      const same = b.charAt(index - 1) === a.charAt(at) ? 0 : 1;
      next.push(
        Math.min((row[index - 1] ?? 0) + same, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
