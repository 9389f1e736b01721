import { VivariumError } from '../../lib/index.ts';
import type { TreeChanges } from '../types.ts';
import { fetchEntries, statFiles, type Wanted } from './fetch.ts';
import type { FileState } from './files.ts';
import { listTree, type ListedEntry, type Listing } from './listing.ts';

/** The kernel's clock moves in ticks of up to 10 ms: a change in the mark's own tick counts. */
const MARGIN_NS = 20_000_000n;
const IN_GIT = /(^|\/)\.git(\/|$)/;

/** What is known of the tree at one moment: path to inode of every file and link. */
interface Knowledge {
  at: bigint;
  inodes: Map<string, string>;
}

/** Finds out what changed in the repository folder; see `TreeChanges`. */
export class TreeExport {
  private seed: Knowledge = { at: 0n, inodes: new Map() };
  private latest: Knowledge = this.seed;
  private anythingCanHaveChanged = true;
  private readonly writes = new Set<string>();
  /** Nested `.git` that came with the seed (submodules). */
  private seedGits = new Set<string>();
  private readonly state: FileState;
  private readonly seedPaths: ReadonlySet<string>;

  constructor(state: FileState, seedPaths: ReadonlySet<string>) {
    this.state = state;
    this.seedPaths = seedPaths;
  }

  /** Takes the state that the first changes are judged by; call it before any command ran. */
  async begin(): Promise<void> {
    const listing = await listTree(this.state, 0n);
    this.seed = learn(listing, 0n);
    this.checkSeed();
    this.latest = { at: this.seed.at, inodes: new Map(this.seed.inodes) };
    this.anythingCanHaveChanged = false;
    this.seedGits = new Set(gits(listing).map((entry) => entry.shown));
  }

  private checkSeed(): void {
    for (const path of this.seedPaths) {
      if (this.seed.inodes.has(path) || IN_GIT.test(path)) continue;
      throw new VivariumError(
        'workspace_failed',
        `The workspace lacks a file of the snapshot: ${JSON.stringify(path)}.`,
        'Check that the disk and file limits of the workspace are large enough.',
      );
    }
  }

  /** A command may change anything, and so may what it leaves running. */
  noteRun(): void {
    this.anythingCanHaveChanged = true;
  }

  /** A file written by us: while no command runs, nothing else changes. */
  noteWrite(realPath: string): void {
    this.writes.add(realPath);
  }

  async changes(backgroundWork: boolean): Promise<TreeChanges> {
    const onlyWrites = !this.anythingCanHaveChanged && !backgroundWork;
    const writes = [...this.writes];
    this.anythingCanHaveChanged = false;
    this.writes.clear();
    try {
      return (onlyWrites ? await this.writtenFiles(writes) : undefined) ?? (await this.found());
    } catch (error) {
      this.anythingCanHaveChanged = true;
      throw error;
    }
  }

  /** `undefined` when a path turned out to be more than a plain file. */
  private async writtenFiles(realPaths: string[]): Promise<TreeChanges | undefined> {
    const prefix = `${this.state.root}/`;
    const inside = realPaths.filter((path) => path.startsWith(prefix) && !IN_GIT.test(path));
    const paths = inside.map((path) => path.slice(prefix.length));
    if (paths.length === 0) return { written: [], deleted: [], refused: [] };
    const entries = await statFiles(this.state, paths);
    if (!entries) return undefined;
    const fetched = await fetchEntries(this.state, entries);
    for (const { path, inode } of entries) this.latest.inodes.set(path, inode);
    return { ...fetched, deleted: [] };
  }

  /** Without a touched folder nothing came, went or moved: the rest of the tree need not be read. */
  private async found(): Promise<TreeChanges> {
    let listing = await listTree(this.state, this.latest.at, 'touched');
    if (listing.partial && listing.entries.some(({ type }) => type === 'd')) {
      listing = await listTree(this.state, this.latest.at);
    }
    const changes = await this.compare(listing, this.latest);
    const learned = learn(listing, this.latest.at);
    if (listing.partial) learned.inodes = new Map([...this.latest.inodes, ...learned.inodes]);
    this.latest = learned;
    return changes;
  }

  async whole(): Promise<TreeChanges> {
    return this.compare(await listTree(this.state, this.seed.at), this.seed);
  }

  private async compare(listing: Listing, known: Knowledge): Promise<TreeChanges> {
    const refused: TreeChanges['refused'] = [];
    const wanted: Wanted[] = [];
    const present = new Set<string>();
    for (const entry of listing.entries) {
      const { path } = entry;
      if (entry.isGit) {
        const isNew = path !== '.git' && !this.seedGits.has(entry.shown);
        if (isNew) refused.push({ path: entry.shown, reason: 'a nested git repository' });
        continue;
      }
      if (entry.type === 'd' && path !== null) continue;
      const reason = refusalOf(entry);
      if (path === null || reason !== undefined) {
        refused.push({ path: entry.shown, reason: reason ?? 'its name is not UTF-8' });
        continue;
      }
      present.add(path);
      if (entry.touched || known.inodes.get(path) !== entry.inode) wanted.push({ ...entry, path });
    }
    const fetched = await fetchEntries(this.state, wanted);
    return {
      written: fetched.written,
      deleted: listing.partial ? [] : [...known.inodes.keys()].filter((path) => !present.has(path)),
      refused: [...refused, ...fetched.refused],
    };
  }
}

function refusalOf(entry: ListedEntry): string | undefined {
  if (entry.path === null) return 'its name is not UTF-8';
  if (entry.type !== 'f' && entry.type !== 'l') return 'it is a pipe, socket or device';
  if (Buffer.byteLength(entry.path) > 4_000) return 'its path is longer than 4,000 bytes';
  const bad = entry.path.split('/').some((part) => part === '' || part === '.' || part === '..');
  return bad ? 'its path is not sound' : undefined;
}

function learn(listing: Listing, fallback: bigint): Knowledge {
  const inodes = new Map<string, string>();
  for (const { path, type, inode, isGit } of listing.entries) {
    if (path !== null && !isGit && (type === 'f' || type === 'l')) inodes.set(path, inode);
  }
  return { at: listing.at === null ? fallback : listing.at - MARGIN_NS, inodes };
}

function gits(listing: Listing): ListedEntry[] {
  return listing.entries.filter((entry) => entry.isGit && entry.shown !== '.git');
}
