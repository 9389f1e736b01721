import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { InputOf, OutputOf } from '../../contract/index.ts';
import { RESOURCES } from '../environment.ts';
import { allLicences, type Licence } from '../licences.ts';

/** Where our own package.json is. */
const ROOT = path.dirname(RESOURCES);

/** Libraries that the pages are built with, as far as the build has not listed what is in them. */
const OF_THE_PAGES = [
  ...['react', 'react-dom', 'react-aria-components', '@tanstack/react-query'],
  ...['@tanstack/react-virtual', 'react-diff-view', 'gitdiff-parser', 'uplot', 'lowlight'],
];

let known: Promise<Licence[]> | undefined;

/** Some hundred small files that do not change while this process runs. */
function licences(): Promise<Licence[]> {
  known ??= allLicences(ROOT, OF_THE_PAGES);
  return known;
}

/** Version, place and memory of this process, and whose work it holds. */
export async function about(home: string): Promise<OutputOf<'about'>> {
  return {
    version: await ownVersion(),
    home,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    memoryBytes: process.memoryUsage.rss(),
    licences: (await licences()).map(({ name, version, licence }) => ({ name, version, licence })),
  };
}

/** What a library's licence files say; `null` where it brings none, or is none of ours. */
export async function licenceText(
  wanted: InputOf<'about/licence'>,
): Promise<OutputOf<'about/licence'>> {
  const found = (await licences()).find(
    ({ name, version }) => name === wanted.name && version === wanted.version,
  );
  return { text: found?.text || null };
}

async function ownVersion(): Promise<string> {
  const text = await readFile(path.join(ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version?: string }).version ?? '?';
}
