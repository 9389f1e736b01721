import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A package whose work comes with the app. */
export interface Licence {
  name: string;
  version: string;
  /** As its package.json states it. */
  licence: string;
  /** What its licence files say; empty = it brings none. */
  text: string;
}

/** Where the build puts the list of what is in the app; see `electron.vite.config.ts`. */
export const BUILT_LICENCES = path.join('out', 'licences.json');

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** What has the word in its name and is no licence. */
const CODE = /\.[cm]?[jt]sx?$/i;

interface Manifest {
  name: string;
  version: string;
  licence: string;
  dependencies: string[];
}

/** The list of the build where there is one, else made from the packages that are installed. */
export async function allLicences(root: string, ofThePages: readonly string[]): Promise<Licence[]> {
  const built = await readFile(path.join(root, BUILT_LICENCES), 'utf8').catch(() => null);
  if (built !== null) return JSON.parse(built) as Licence[];
  return licencesOf(root, { names: ofThePages });
}

/**
 * Of all packages that the app needs when it runs, of the named ones with all they need, and of the
 * packages in these folders alone; by name.
 */
export async function licencesOf(
  root: string,
  more: { names?: readonly string[]; folders?: readonly string[] },
): Promise<Licence[]> {
  const own = await manifestAt(root);
  const folders = await withAllTheyNeed(root, [
    ...(own?.dependencies ?? []),
    ...(more.names ?? []),
  ]);
  const found = new Map<string, Licence>();
  for (const folder of [...folders, ...(more.folders ?? [])]) {
    const licence = await licenceAt(folder);
    if (licence !== null) found.set(`${licence.name}@${licence.version}`, licence);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Of the one package in a folder; `null` = there is none. */
export async function licenceAt(folder: string): Promise<Licence | null> {
  const manifest = await manifestAt(folder);
  if (manifest === null) return null;
  const { name, version, licence } = manifest;
  return { name, version, licence, text: await textAt(folder) };
}

async function textAt(folder: string): Promise<string> {
  const names = (await readdir(folder))
    .filter((name) => LICENCE_FILE.test(name) && !CODE.test(name))
    .toSorted();
  const texts = names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).map((text) => text.trim()).join('\n\n');
}

async function withAllTheyNeed(root: string, names: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>();
  const waiting = names.map((name) => ({ name, from: root }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = await folderOf(next.name, next.from, root);
    if (folder === null || seen.has(folder)) continue;
    seen.add(folder);
    const { dependencies = [] } = (await manifestAt(folder)) ?? {};
    waiting.push(...dependencies.map((name) => ({ name, from: folder })));
  }
  return seen;
}

/** As Node finds a package: in the nearest `node_modules`; `null` = not there. */
async function folderOf(name: string, from: string, root: string): Promise<string | null> {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if ((await manifestAt(folder)) !== null) return folder;
    if (at === root || path.dirname(at) === at) return null;
  }
}

async function manifestAt(folder: string): Promise<Manifest | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const read = recordOf(value);
    const text = (member: unknown): string => (typeof member === 'string' ? member : '');
    return {
      name: text(read['name']),
      version: text(read['version']),
      licence: licenceOf(read),
      dependencies: Object.keys({
        ...recordOf(read['dependencies']),
        ...recordOf(read['optionalDependencies']),
      }),
    };
  } catch {
    return null;
  }
}

function licenceOf({ license, licenses }: Record<string, unknown>): string {
  const stated = [license, ...(Array.isArray(licenses) ? (licenses as unknown[]) : [])];
  const names = stated.map((one) => (typeof one === 'string' ? one : recordOf(one)['type']));
  return names.filter((name) => typeof name === 'string').join(', ') || 'not stated';
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
