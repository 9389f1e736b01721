import type { Database } from 'better-sqlite3';
import type { ServerSample } from '../contract/index.ts';
import { rowOf, sampleOf, upsertSql, type SampleRow } from './sample-rows.ts';
import type { SampleResolution, Store } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How finely looks at a server are kept, and for how long: at most 600 + 2160 + 10,080 + 12,960 rows
 * a server, about 5 MB. Every look goes into its row of each resolution at once, so that there is no
 * pass that rolls up: none to be late, none that two processes could both run, and a row that is
 * still filling up is right at any moment.
 */
const KEPT = [
  { resolution: 1, keptMs: 10 * MINUTE_MS },
  { resolution: 10, keptMs: 6 * HOUR_MS },
  { resolution: 60, keptMs: 7 * DAY_MS },
  { resolution: 600, keptMs: 90 * DAY_MS },
] as const satisfies { resolution: SampleResolution; keptMs: number }[];

/** Each look makes at most one row a resolution; removing a few more catches up after a pause. */
const PRUNED_AT_ONCE = 20;

/** A clock that was set back leaves rows of the future; they are not the latest look. */
const AHEAD_MS = 5000;

export interface Samples {
  /** Opens its own connection when it is first used: see `openSamples`. */
  add: Store['addServerSample'];
  list: Store['serverSamples'];
  latest: Store['latestServerSample'];
  close(): void;
}

function prepareWrites(database: Database) {
  const upsert = database.prepare(upsertSql());
  // Of all servers, also those that are gone: whoever runs cleans up.
  const prune = database.prepare<[number, number]>(`
    DELETE FROM server_samples WHERE (resolution, at, server) IN (
      SELECT resolution, at, server FROM server_samples
      WHERE resolution = ? AND at < ? ORDER BY at LIMIT ${PRUNED_AT_ONCE})`);
  return database.transaction((server: string, sample: ServerSample, now: number) => {
    const row = rowOf(server, sample);
    for (const { resolution, keptMs } of KEPT) {
      const bucketMs = resolution * 1000;
      const at = Math.floor(row.last_at / bucketMs) * bucketMs;
      upsert.run({ ...row, resolution, at });
      prune.run(resolution, now - keptMs);
    }
  });
}

/** The finest resolution that still reaches back to `since`. */
function resolutionFor(since: number, now: number): SampleResolution {
  return KEPT.find(({ keptMs }) => since >= now - keptMs)?.resolution ?? 600;
}

/**
 * Looks at servers, kept at falling resolution. They are no part of the record: a power loss may
 * take the last seconds, so that writing them waits for no disk. Hence a connection of their own.
 */
export function openSamples(
  reader: Database,
  openWriter: () => Database,
  now: () => number,
): Samples {
  const list = reader.prepare<[number, number, string], SampleRow>(
    `SELECT * FROM server_samples WHERE resolution = ? AND at >= ? AND server = ? ORDER BY at`,
  );
  const latest = reader.prepare<[number, number, string], SampleRow>(
    `SELECT * FROM server_samples WHERE resolution = 1 AND at BETWEEN ? AND ? AND server = ?
     ORDER BY at DESC LIMIT 1`,
  );
  let writer: Database | undefined;
  let write: ReturnType<typeof prepareWrites> | undefined;
  return {
    add(server, sample) {
      writer ??= openWriter();
      write ??= prepareWrites(writer);
      write.immediate(server, sample, now());
    },
    list(server, { since, resolution = resolutionFor(since, now()) }) {
      // The row that `since` falls into is part of the answer.
      const from = Math.floor(since / (resolution * 1000)) * resolution * 1000;
      return list.all(resolution, from, server).map(sampleOf);
    },
    latest(server) {
      const at = now();
      const row = latest.get(at - KEPT[0].keptMs, at + AHEAD_MS, server);
      return row === undefined ? null : sampleOf(row);
    },
    close() {
      writer?.close();
      writer = undefined;
    },
  };
}
