import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputOf } from '../../contract/index.ts';
import { RESOURCES } from '../environment.ts';

type Licence = OutputOf<'about'>['licences'][number];

/** Where our own package.json is. */
const ROOT = path.dirname(RESOURCES);

/** Libraries that the pages are built with; they come with the app though they are not installed with it. */
const OF_THE_PAGES = [
  ...['react', 'react-dom', 'react-aria-components', '@tanstack/react-query'],
  ...['@tanstack/react-virtual', 'react-diff-view', 'gitdiff-parser', 'uplot', 'lowlight'],
];

interface Manifest {
  name: string;
  version: string;
  licence: string;
  dependencies: string[];
}

/** Version, place and memory of this process, and whose work it holds. */
export async function about(home: string): Promise<OutputOf<'about'>> {
  const own = await manifestAt(ROOT);
  return {
    version: own?.version ?? '?',
    home,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    memoryBytes: process.memoryUsage.rss(),
    licences: await licences([...(own?.dependencies ?? []), ...OF_THE_PAGES]),
  };
}

let known: Promise<Licence[]> | undefined;

/** Of the named packages and all they need, as their package.json files state them; by name. */
function licences(roots: readonly string[]): Promise<Licence[]> {
  // Some hundred small files that do not change while this process runs.
  known ??= readLicences(roots);
  return known;
}

async function readLicences(roots: readonly string[]): Promise<Licence[]> {
  const found = new Map<string, Licence>();
  const seen = new Set<string>();
  const waiting = roots.map((name) => ({ name, from: ROOT }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = await folderOf(next.name, next.from, seen);
    if (folder === null) continue;
    const manifest = await manifestAt(folder);
    if (manifest === null) continue;
    const { name, version, licence, dependencies } = manifest;
    found.set(`${name}@${version}`, { name, version, licence });
    waiting.push(...dependencies.map((one) => ({ name: one, from: folder })));
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** As Node finds a package: in the nearest `node_modules`; `null` = not there, or known already. */
async function folderOf(name: string, from: string, seen: Set<string>): Promise<string | null> {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (seen.has(folder)) return null;
    if ((await manifestAt(folder)) !== null) {
      seen.add(folder);
      return folder;
    }
    if (at === ROOT || path.dirname(at) === at) return null;
  }
}

async function manifestAt(folder: string): Promise<Manifest | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const read = value as Record<string, unknown>;
    const text = (member: unknown): string => (typeof member === 'string' ? member : '');
    const dependencies = {
      ...recordOf(read['dependencies']),
      ...recordOf(read['optionalDependencies']),
    };
    return {
      name: text(read['name']),
      version: text(read['version']),
      licence: licenceOf(read),
      dependencies: Object.keys(dependencies),
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
