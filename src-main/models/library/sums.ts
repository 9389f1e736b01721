import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, posix } from 'node:path';
import { invalid, unreadable } from './invalid.ts';
import { readSmall } from './read-at.ts';

const MAX_SUMS_BYTES = 4 * 2 ** 20;
const FOR_ALL = /^sha256sums?(?:\.txt)?$/i;
const FOR_ONE = /\.sha256(?:sums?)?$/i;

/** Checksums that lay beside the files of a model. */
export interface Sums {
  /** Name of the list; the first, where there are several. */
  file: string;
  /** sha256 by path relative to the folder. */
  expected: ReadonlyMap<string, string>;
  /** Which list says so, for messages. */
  sourceOf: (path: string) => string;
}

/**
 * Reads `SHA256SUMS` and `NAME.sha256` of a folder, in GNU's form (`SUM  NAME`, `SUM *NAME`) and
 * BSD's (`SHA256 (NAME) = SUM`).
 *
 * @param onlyFor paths that matter where the folder holds other things too; `null` = all
 * @returns `null` when there is no list, or none that names a file that matters
 * @throws VivariumError `model_file_invalid` for a list that cannot be read, that contradicts
 * another, or that names a file that is missing
 */
export async function readSums(
  folder: string,
  onlyFor: readonly string[] | null,
): Promise<Sums | null> {
  const expected = new Map<string, string>();
  const sources = new Map<string, string>();
  for (const list of (await readdir(folder)).toSorted()) {
    const forAll = FOR_ALL.test(list);
    if (list.startsWith('.') || (!forAll && !FOR_ONE.test(list))) continue;
    const subject = list.replace(FOR_ONE, '');
    if (!forAll && onlyFor !== null && !onlyFor.includes(subject)) continue;
    const text = (await readSmall(join(folder, list), MAX_SUMS_BYTES)) ?? '';
    for (const [path, sum] of parseSums(list, text, forAll ? null : subject)) {
      // `sha256sum * > SHA256SUMS` lists the list itself, as it was before it was written.
      if (path === list || (onlyFor !== null && !onlyFor.includes(path))) continue;
      if ((expected.get(path) ?? sum) !== sum) {
        throw invalid(
          `${sources.get(path) ?? ''} and ${list} state different checksums of ${path}.`,
          `Remove the one that is wrong.`,
        );
      }
      expected.set(path, sum);
      sources.set(path, list);
    }
  }
  const [file] = sources.values();
  if (file === undefined) return null;
  await checkPresent(folder, expected, sources);
  return { file, expected, sourceOf: (path) => sources.get(path) ?? file };
}

async function checkPresent(
  folder: string,
  expected: ReadonlyMap<string, string>,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  for (const path of expected.keys()) {
    const found = await stat(join(folder, path)).catch((fault: unknown) => {
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw unreadable(join(folder, path), fault);
    });
    if (found?.isFile() === true) continue;
    const list = sources.get(path) ?? '';
    throw invalid(
      `${list} lists ${path}, which is missing.`,
      `Copy the missing file, or remove its line from ${list} if it is left out on purpose.`,
    );
  }
}

const GNU = /^(\\?)([0-9a-f]{64})(?: [ *]|\t)(.+)$/i;
const BSD = /^(\\?)SHA(?:2-)?256 \((.+)\) ?= ?([0-9a-f]{64})$/i;

/** @param subject file that a line of nothing but a sum is about */
export function parseSums(list: string, text: string, subject: string | null): [string, string][] {
  const found: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const gnu = GNU.exec(line);
    const bsd = gnu === null ? BSD.exec(line) : null;
    const sum = gnu?.[2] ?? bsd?.[3] ?? /^\s*([0-9a-f]{64})\s*$/i.exec(line)?.[1];
    const name = gnu?.[3] ?? bsd?.[2] ?? subject;
    if (sum === undefined || name === null) {
      throw invalid(
        `${list} has a line that is no sha256 checksum: ${line.slice(0, 80)}`,
        `Make the list with "sha256sum * > ${list}", or remove it.`,
      );
    }
    const escaped = (gnu?.[1] ?? bsd?.[1]) === '\\';
    found.push([within(escaped ? unescaped(name) : name), sum.toLowerCase()]);
  }
  return found;
}

/** As GNU writes names with line ends or backslashes. */
function unescaped(name: string): string {
  return name.replace(/\\([\\nr])/g, (_, sign: string) =>
    sign === 'n' ? '\n' : sign === 'r' ? '\r' : '\\',
  );
}

/** Lists made elsewhere may name absolute paths: the file of that name in this folder is meant. */
function within(name: string): string {
  const path = posix.normalize(name);
  return isAbsolute(path) || path.startsWith('..') ? basename(path) : path;
}
