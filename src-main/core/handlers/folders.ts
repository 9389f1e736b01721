import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { FolderEntry, OutputOf, ParsedInputOf } from '../../contract/index.ts';
import { messageOf, VivariumError, withHome } from '../../lib/index.ts';

/** More are not shown: a picker with more is of no use. */
const MOST_ENTRIES = 10_000;

/**
 * Folders inside a folder, by name, and files with the endings that are asked for. Links are not
 * followed: one that a person wants is typed.
 * @throws VivariumError `repo_not_found`, `repo_unreadable`
 */
export async function listFolder({
  path: given,
  hidden,
  extensions = [],
}: ParsedInputOf<'folders/list'>): Promise<OutputOf<'folders/list'>> {
  const folder = path.resolve(withHome(given ?? '~'));
  const inside = (await entriesIn(folder)).filter(({ name }) => hidden || !name.startsWith('.'));
  const names = inside.filter(isFolder).map(({ name }) => name);
  const entries: FolderEntry[] = [];
  for (let at = 0; at < names.length; at += 64) {
    const some = names.slice(at, at + 64).map((name) => entryOf(folder, name));
    entries.push(...(await Promise.all(some)));
  }
  const order = new Intl.Collator('en', { numeric: true });
  entries.sort((a, b) => order.compare(a.name, b.name));
  const files = await filesOf(folder, inside, extensions);
  files.sort((a, b) => order.compare(a.name, b.name));
  const above = path.dirname(folder);
  return { path: folder, parent: above === folder ? null : above, entries, files };
}

async function filesOf(folder: string, inside: readonly Dirent[], extensions: readonly string[]) {
  const endings = extensions.map((extension) => `.${extension.toLowerCase()}`);
  const wanted = inside.filter(
    (entry) => entry.isFile() && endings.some((end) => entry.name.toLowerCase().endsWith(end)),
  );
  return Promise.all(
    wanted.map(async ({ name }) => {
      const full = path.join(folder, name);
      const bytes = await lstat(full).then(
        ({ size }) => size,
        () => 0,
      );
      return { name, path: full, bytes };
    }),
  );
}

async function entriesIn(folder: string): Promise<Dirent[]> {
  const found: Dirent[] = [];
  try {
    // A pipe or device of that name must not be opened.
    let seen = 0;
    for await (const entry of await opendir(folder)) {
      seen += 1;
      if (seen > MOST_ENTRIES) break;
      if (isFolder(entry) || entry.isFile()) found.push(entry);
    }
    return found;
  } catch (error) {
    throw unlisted(folder, error);
  }
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.isSymbolicLink();
}

async function entryOf(folder: string, name: string): Promise<FolderEntry> {
  const full = path.join(folder, name);
  // A working tree has `.git` as a folder, or as a file where it is one of several.
  const isRepository = await lstat(path.join(full, '.git')).then(
    (stat) => stat.isDirectory() || stat.isFile(),
    () => false,
  );
  return { name, path: full, isRepository };
}

function unlisted(folder: string, error: unknown): VivariumError {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new VivariumError(
      'repo_not_found',
      `there is no folder ${folder}`,
      'Choose another one.',
      error,
    );
  }
  const denied = code === 'EACCES' || code === 'EPERM';
  return new VivariumError(
    'repo_unreadable',
    denied
      ? `no permission to look into ${folder}`
      : `${folder} can't be read: ${messageOf(error)}`,
    'Choose another folder, or change its permissions.',
    error,
  );
}
