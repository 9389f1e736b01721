import type { Database } from 'better-sqlite3';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import type { EventBody, RecordedChange } from '../contract/index.ts';
import { sha256 as sha256Of, VivariumError } from '../lib/index.ts';

/** Below this, a row's own cost outweighs what compression saves. */
const COMPRESS_FROM_BYTES = 512;
/** Above this, it would cost more time than the place is worth (about 0.2 s at level 1). */
const COMPRESS_UP_TO_BYTES = 16 * 1024 * 1024;
/** From here on, hashing and compressing would hold up the caller's thread for milliseconds. */
const LARGE_BYTES = 64 * 1024;
/** Compression has to save at least a tenth, or the content stays as it is. */
const WORTH_IT = 0.9;

interface BlobRow {
  encoding: string;
  content: Buffer;
}

export interface Blobs {
  /** Stores contents that are not there yet. To be called inside the event's transaction. */
  put(contents: readonly Uint8Array[]): void;
  /** Stores the large ones beside the caller's thread; returns the small ones. See `Store.keep`. */
  keep(contents: readonly Uint8Array[]): Promise<Uint8Array[]>;
  /** @throws VivariumError `internal` when a body names a content that is not stored */
  requireAll(body: EventBody): void;
  /** @throws VivariumError `store_failed` when it is not there or is damaged */
  get(sha256: string): Uint8Array;
}

interface Encoded {
  encoding: string;
  content: Uint8Array;
}

const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);

function mayCompress({ length }: Uint8Array): boolean {
  return length >= COMPRESS_FROM_BYTES && length <= COMPRESS_UP_TO_BYTES;
}

function smaller(content: Uint8Array, deflated: Uint8Array): Encoded {
  return deflated.length < content.length * WORTH_IT
    ? { encoding: 'deflate', content: deflated }
    : { encoding: 'raw', content };
}

function encode(content: Uint8Array): Encoded {
  if (!mayCompress(content)) return { encoding: 'raw', content };
  return smaller(content, deflateSync(content, { level: 1 }));
}

async function encodeAside(content: Uint8Array): Promise<Encoded> {
  if (!mayCompress(content)) return { encoding: 'raw', content };
  return smaller(content, await deflateAside(content, { level: 1 }));
}

async function sha256Aside(content: Uint8Array): Promise<string> {
  // A view of memory that is shared with nobody, as the workers of the platform want it.
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(content));
  return Buffer.from(digest).toString('hex');
}

/** Names of the contents an event refers to. A checkpoint without its bytes would be worthless. */
export function blobsNamedBy(body: EventBody): string[] {
  if (body.type === 'patch.made') return body.blob === null ? [] : [body.blob];
  if (body.type === 'session.created') return blobsOfChanges(body.followUp?.changes ?? []);
  if (body.type === 'grading.finished') return Object.values(body.result.evidence);
  if (body.type !== 'step.finished') return [];
  const names: (string | null)[] = [...blobsOfChanges(body.changes), body.tokens ?? null];
  for (const { run } of body.observations) {
    if (run === undefined) continue;
    names.push(run.stdout.head, run.stdout.tail, run.stderr.head, run.stderr.tail);
  }
  return [...new Set(names.filter((name) => name !== null))];
}

function blobsOfChanges(changes: readonly RecordedChange[]): string[] {
  return changes.flatMap((change) => (change.kind === 'deleted' ? [] : [change.blob]));
}

function damaged(sha256: string, cause?: unknown): VivariumError {
  return new VivariumError(
    'store_failed',
    `stored content ${sha256} is damaged`,
    'Restore the session database from a backup; other sessions can still be used.',
    cause,
  );
}

function decode(sha256: string, row: BlobRow): Uint8Array {
  if (row.encoding === 'raw') return row.content;
  try {
    return inflateSync(row.content);
  } catch (cause) {
    throw damaged(sha256, cause);
  }
}

/** Contents by sha256, each stored once, compressed where that pays. */
export function openBlobs(database: Database): Blobs {
  const exists = database.prepare<[string], { found: number }>(
    'SELECT 1 AS found FROM blobs WHERE sha256 = ?',
  );
  const insert = database.prepare(
    'INSERT OR IGNORE INTO blobs (sha256, encoding, size, content) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare<[string], BlobRow>(
    'SELECT encoding, content FROM blobs WHERE sha256 = ?',
  );
  return {
    put(contents) {
      for (const content of contents) {
        const sha256 = sha256Of(content);
        if (exists.get(sha256) !== undefined) continue;
        const encoded = encode(content);
        insert.run(sha256, encoded.encoding, content.length, encoded.content);
      }
    },
    async keep(contents) {
      const isLarge = ({ length }: Uint8Array): boolean => length >= LARGE_BYTES;
      for (const content of contents.filter(isLarge)) {
        const sha256 = await sha256Aside(content);
        if (exists.get(sha256) !== undefined) continue;
        const encoded = await encodeAside(content);
        insert.run(sha256, encoded.encoding, content.length, encoded.content);
      }
      return contents.filter((content) => !isLarge(content));
    },
    requireAll(body) {
      const missing = blobsNamedBy(body).find((name) => exists.get(name) === undefined);
      if (missing === undefined) return;
      throw new VivariumError(
        'internal',
        `an event of kind ${body.type} names content ${missing} that was not handed over`,
        'Report this as a fault of Vivarium.',
      );
    },
    get(sha256) {
      const row = select.get(sha256);
      if (row === undefined) {
        throw new VivariumError(
          'store_failed',
          `content ${sha256} is not in the session database`,
          'Check that VIVARIUM_HOME names the folder the session was recorded in.',
        );
      }
      const content = decode(sha256, row);
      if (sha256Of(content) !== sha256) throw damaged(sha256);
      return content;
    },
  };
}
