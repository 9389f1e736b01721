import { quotePath } from './names.ts';
import { runGit } from './run.ts';
import type { GitOptions } from './run.ts';

export type FileMode = '100644' | '100755' | '120000';

/** What happens to one path in the commit that is being made. */
export type ImportItem =
  | { path: string; mode: FileMode; content: Uint8Array }
  | { path: string; mode: FileMode; size: number; chunks: AsyncIterable<Uint8Array> }
  | { path: string; mode: 'deleted' };

export interface ImportCommit {
  /** Full name of the branch that will point to the commit. */
  branch: string;
  /** Commit it starts from: its parent, and unless `fresh` also its tree. */
  parent?: string | undefined;
  /** Begin with an empty tree although there is a parent. */
  fresh?: boolean;
  author: { name: string; email: string; seconds: number };
  message: string;
  items: AsyncIterable<ImportItem> | Iterable<ImportItem>;
}

/**
 * Makes one commit, its trees and blobs from raw bytes in one process: no working tree, no filters,
 * no index. The result is one pack.
 */
export async function importCommit(commit: ImportCommit, options: GitOptions): Promise<void> {
  await runGit(['fast-import', '--quiet', '--done', '--depth=0', '--date-format=raw'], {
    ...options,
    // Level 1: the pack is read once or twice and removed with the session.
    config: [...(options.config ?? []), 'core.compression=1', 'fastimport.unpackLimit=0'],
    input: batched(importStream(commit)),
  });
}

async function* importStream(commit: ImportCommit): AsyncGenerator<Uint8Array, void, undefined> {
  const { author } = commit;
  yield Buffer.from(`commit ${commit.branch}\n`);
  yield Buffer.from(`committer ${author.name} <${author.email}> ${author.seconds} +0000\n`);
  yield* dataOf(Buffer.from(commit.message));
  if (commit.parent !== undefined) yield Buffer.from(`from ${commit.parent}\n`);
  if (commit.fresh === true) yield Buffer.from('deleteall\n');
  for await (const item of commit.items) {
    if (item.mode === 'deleted') {
      yield Buffer.from(`D ${quotePath(item.path)}\n`);
      continue;
    }
    yield Buffer.from(`M ${item.mode} inline ${quotePath(item.path)}\n`);
    if ('content' in item) yield* dataOf(item.content);
    else yield* streamedData(item.size, item.chunks);
  }
  yield Buffer.from('\ndone\n');
}

function* dataOf(content: Uint8Array): Generator<Uint8Array, void, undefined> {
  yield Buffer.from(`data ${content.length}\n`);
  yield content;
  yield LINE_END;
}

async function* streamedData(
  size: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`data ${size}\n`);
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    if (sent > size) break;
    yield chunk;
  }
  if (sent !== size) throw new Error(`content has not the ${size} bytes that were announced`);
  yield LINE_END;
}

const LINE_END = Buffer.from('\n');
const BATCH_BYTES = 256 * 1024;

/** Joins small pieces, since each write to a pipe costs a turn of the event loop. */
async function* batched(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < BATCH_BYTES) continue;
    yield held.length === 1 ? piece : Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
