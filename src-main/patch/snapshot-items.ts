import type { Hash } from 'node:crypto';
import { objectContents } from '../git/index.ts';
import type { FileMode, GitOptions, ImportItem, ObjectFormat } from '../git/index.ts';
import { frameKeeper } from '../lib/index.ts';
import { fileReader } from './file-reader.ts';
import type { FoundFile } from './file-reader.ts';
import { blobHash, blobId } from './object-id.ts';
import type { Repository } from './repository.ts';
import type { PlannedFile, SnapshotPlan } from './snapshot-plan.ts';
import type { LeftOut } from './types.ts';

/** What is known once all items were taken. */
export interface SnapshotTally {
  files: number;
  bytes: number;
  dirty: { modified: number; untracked: number };
  notCarried: LeftOut[];
}

type HeadFiles = Map<string, { mode: string; id: string }>;

/**
 * The items of the start commit in the order of the plan, read from the working tree as they are
 * asked for. `tally` is complete when they have all been taken. `head` is used up.
 */
export function snapshotItems(
  repository: Repository,
  plan: SnapshotPlan,
  head: HeadFiles,
  reader: GitOptions,
): { items: AsyncIterable<ImportItem>; tally: SnapshotTally } {
  const tally: SnapshotTally = {
    files: 0,
    bytes: 0,
    dirty: { modified: 0, untracked: 0 },
    notCarried: plan.notCarried,
  };
  const account = accountant(repository.format, head, tally);
  return { items: allItems(repository, plan, reader, account, tally), tally };
}

async function* allItems(
  repository: Repository,
  plan: SnapshotPlan,
  reader: GitOptions,
  account: Accountant,
  tally: SnapshotTally,
): AsyncGenerator<ImportItem, void, undefined> {
  const read = fileReader(repository.top);
  const sparse: (PlannedFile & { sparseId: string })[] = [];
  const pause = frameKeeper();
  for (const file of plan.files) {
    await pause();
    reader.signal?.throwIfAborted();
    const now = await read(file.path);
    const { sparseId } = file;
    if (now.kind === 'missing' && sparseId !== undefined) {
      sparse.push({ ...file, sparseId });
      continue;
    }
    if (now.kind === 'refused') tally.notCarried.push({ path: file.path, reason: now.reason });
    const item = itemOf(repository, file, now);
    if (item === undefined) account.absent(file, now.kind === 'refused');
    else yield account.present(file, item);
  }
  yield* sparseItems(sparse, reader, account, tally);
  account.end();
}

async function* sparseItems(
  files: readonly (PlannedFile & { sparseId: string })[],
  reader: GitOptions,
  account: Accountant,
  tally: SnapshotTally,
): AsyncGenerator<ImportItem, void, undefined> {
  if (files.length === 0) return;
  const contents = objectContents(
    files.map((file) => file.sparseId),
    reader,
  );
  for (const file of files) {
    const next = await contents.next();
    const content = next.done === true ? undefined : next.value;
    if (content === undefined) {
      const reason = 'not checked out, and its content is not on this machine';
      tally.notCarried.push({ path: file.path, reason });
      account.absent(file, true);
      continue;
    }
    yield account.present(file, { path: file.path, mode: modeOf(file.indexMode), content });
  }
}

type PresentItem = Exclude<ImportItem, { mode: 'deleted' }>;

function itemOf(
  repository: Repository,
  file: PlannedFile,
  now: FoundFile,
): PresentItem | undefined {
  const { path, indexMode } = file;
  if (now.kind === 'symlink') return { path, mode: '120000', content: now.content };
  if (now.kind !== 'file' && now.kind !== 'large') return undefined;
  const trusted = repository.trustModes || indexMode === undefined;
  let mode: FileMode = (trusted ? now.executable : indexMode === '100755') ? '100755' : '100644';
  if (!repository.trustLinks && indexMode === '120000') mode = '120000';
  if (now.kind === 'file') return { path, mode, content: now.content };
  return { path, mode, size: now.size, chunks: now.chunks() };
}

function modeOf(indexMode: string | undefined): FileMode {
  return indexMode === '100755' || indexMode === '120000' ? indexMode : '100644';
}

interface Accountant {
  present(file: PlannedFile, item: PresentItem): PresentItem;
  absent(file: PlannedFile, listed: boolean): void;
  end(): void;
}

/** Counts what differs from HEAD while the items pass. */
function accountant(format: ObjectFormat, head: HeadFiles, tally: SnapshotTally): Accountant {
  const compare = (file: PlannedFile, mode: string, same: (id: string) => boolean) => {
    const before = head.get(file.path);
    head.delete(file.path);
    if (before === undefined && file.indexMode === undefined) tally.dirty.untracked += 1;
    else if (before?.mode !== mode || !same(before.id)) tally.dirty.modified += 1;
  };
  return {
    present(file, item) {
      tally.files += 1;
      if ('content' in item) {
        tally.bytes += item.content.length;
        compare(file, item.mode, (id) => isSameContent(format, item.content, id));
        return item;
      }
      tally.bytes += item.size;
      const hash = blobHash(format, item.size);
      const chunks = hashed(item.chunks, hash, () => {
        const now = hash.digest('hex');
        compare(file, item.mode, (id) => id === now);
      });
      return { ...item, chunks };
    },
    absent(file, listed) {
      const known = head.delete(file.path);
      if (known && !listed) tally.dirty.modified += 1;
    },
    end() {
      tally.dirty.modified += head.size;
    },
  };
}

/** Line ends that git turned around at checkout are no change of the user's. */
function isSameContent(format: ObjectFormat, content: Uint8Array, id: string): boolean {
  if (blobId(format, content) === id) return true;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!text.includes('\r\n')) return false;
  return (
    blobId(format, Buffer.from(text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')) === id
  );
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
  end: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  end();
}
