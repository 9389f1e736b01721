import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatOf,
  gitConfigText,
  nameOf,
  objectContents,
  readTree,
  treeFiles,
} from '../git/index.ts';
import type { GitOptions, TreeFile } from '../git/index.ts';
import { visibleLine, VivariumError } from '../lib/index.ts';
import { changeMap } from './changes.ts';
import { pathProblem } from './path-check.ts';
import { withScratch } from './scratch.ts';
import { START_AUTHOR } from './snapshot.ts';
import type { Change, SeedEntry, Snapshot } from './types.ts';

export interface SeedOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Everything a new workspace starts with: the files of the snapshot, and a `.git` folder that shows
 * the start commit on `main` with a clean status; no remotes, hooks or reflogs.
 */
export function seedEntries(
  snapshot: Snapshot,
  options: SeedOptions = {},
): AsyncIterable<SeedEntry> {
  return seedEntriesAt(snapshot, [], options);
}

/**
 * As {@link seedEntries}, with changes applied to the files; `.git` still shows the start commit.
 * Used to resume at a checkpoint and to verify snapshot + patch. A change whose name may not be (it
 * can be in no patch either) is skipped; throws `patch_invalid` when the changes contradict each
 * other.
 */
export async function* seedEntriesAt(
  snapshot: Snapshot,
  changes: readonly Change[],
  options: SeedOptions = {},
): AsyncGenerator<SeedEntry, void, undefined> {
  const pending = changeMap(changes.filter(({ path }) => pathProblem(path) === undefined));
  const git: GitOptions = { gitDir: snapshot.gitDir, signal: options.signal };
  yield* gitFolder(snapshot, git);
  const kept: TreeFile[] = [];
  for await (const file of treeFiles(snapshot.tree, git)) {
    if (!pending.has(file.path.toString('utf8'))) kept.push(file);
  }
  const contents = objectContents(
    kept.map((file) => file.id),
    git,
  );
  for (const file of kept) {
    const next = await contents.next();
    const content = next.done === true ? undefined : next.value;
    if (content === undefined) throw damaged(snapshot);
    yield { path: carriedPath(file, snapshot), mode: seedMode(file.mode), content };
  }
  for (const change of pending.values()) {
    if (change.kind !== 'deleted') yield entryOf(change);
  }
}

function entryOf(change: Exclude<Change, { kind: 'deleted' }>): SeedEntry {
  const { path, content } = change;
  if (change.kind === 'symlink') return { path, mode: '120000', content };
  return { path, mode: change.executable ? '100755' : '100644', content };
}

function carriedPath(file: TreeFile, snapshot: Snapshot): string {
  const path = nameOf(file.path);
  if (path === undefined || pathProblem(path) !== undefined) throw damaged(snapshot);
  return path;
}

function seedMode(mode: string): SeedEntry['mode'] {
  return mode === '100755' || mode === '120000' ? mode : '100644';
}

/** The `.git` folder inside the workspace, from the private repository's own packs. */
async function* gitFolder(
  snapshot: Snapshot,
  git: GitOptions,
): AsyncGenerator<SeedEntry, void, undefined> {
  const format = formatOf(snapshot.startCommit);
  for (const folder of ['', '/objects', '/objects/info', '/objects/pack', '/info', '/refs']) {
    yield { path: `.git${folder}`, mode: '40000', content: NOTHING };
  }
  yield { path: '.git/refs/heads', mode: '40000', content: NOTHING };
  yield { path: '.git/refs/tags', mode: '40000', content: NOTHING };
  yield textFile('.git/HEAD', 'ref: refs/heads/main\n');
  yield textFile('.git/config', gitConfigText({ format, bare: false, more: WORKSPACE_CONFIG }));
  yield textFile('.git/info/attributes', RAW_ATTRIBUTES);
  yield textFile('.git/info/exclude', await exclude(snapshot));
  yield textFile('.git/refs/heads/main', `${snapshot.startCommit}\n`);
  const shallow = await readFile(join(snapshot.gitDir, 'shallow')).catch(() => undefined);
  if (shallow !== undefined) yield { path: '.git/shallow', mode: '100644', content: shallow };
  const packs = join(snapshot.gitDir, 'objects', 'pack');
  for (const name of (await readdir(packs)).toSorted()) {
    if (!/^pack-[0-9a-f]+\.(pack|idx)$/.test(name)) continue;
    const content = await readFile(join(packs, name));
    yield { path: `.git/objects/pack/${name}`, mode: '100644', content };
  }
  yield { path: '.git/index', mode: '100644', content: await startIndex(snapshot, git) };
}

const NOTHING = new Uint8Array();

const WORKSPACE_CONFIG = [
  '[user]',
  `\tname = ${START_AUTHOR.name}`,
  `\temail = ${START_AUTHOR.email}`,
  '[gc]',
  '\tauto = 0',
];

/** The snapshot holds raw bytes; a conversion at checkin would show every such file as changed. */
const RAW_ATTRIBUTES = '* -text !eol -ident !filter !working-tree-encoding\n';

function textFile(path: string, text: string): SeedEntry {
  return { path, mode: '100644', content: Buffer.from(text) };
}

async function exclude(snapshot: Snapshot): Promise<string> {
  return readFile(join(snapshot.gitDir, 'info', 'exclude'), 'utf8').catch(() => '');
}

function startIndex(snapshot: Snapshot, git: GitOptions): Promise<Uint8Array> {
  const options = {
    parent: snapshot.gitDir,
    format: formatOf(snapshot.startCommit),
    alternates: [join(snapshot.gitDir, 'objects')],
    signal: git.signal,
  };
  return withScratch(options, async (scratch) => {
    const indexFile = scratch.indexFile();
    await readTree(snapshot.tree, { ...scratch.git, indexFile });
    return readFile(indexFile);
  });
}

function damaged(snapshot: Snapshot): VivariumError {
  return new VivariumError(
    'store_failed',
    `the snapshot of ${visibleLine(snapshot.repository)} is damaged`,
    'Start a new session; `vivarium clean` removes the old one.',
  );
}
