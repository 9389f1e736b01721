import Database from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { StoredEvent } from '../contract/index.ts';
import { makeFolderSync } from '../lib/index.ts';
import { openBlobs } from './blobs.ts';
import { openEvents } from './events.ts';
import { storeError } from './failures.ts';
import { interruptedMarker } from './interrupted.ts';
import { openKept } from './kept.ts';
import { migrate } from './migrations.ts';
import { openSamples } from './samples.ts';
import { openSessionLists } from './session-list.ts';
import { openRunViews } from './run-views.ts';
import { createSubscribers } from './subscribers.ts';
import type { NewEvent, Store } from './types.ts';
import { openViews } from './views.ts';

/** How long a write waits for another process's write before it gives up. */
const BUSY_TIMEOUT_MS = 5000;

/** A look at a server that cannot be kept now is not worth waiting for. */
const SAMPLE_TIMEOUT_MS = 500;

/** For samples: a commit waits for no disk. WAL keeps the file sound all the same. */
function connectForSamples(file: string): Database.Database {
  const database = new Database(file, { timeout: SAMPLE_TIMEOUT_MS });
  database.pragma('synchronous = NORMAL');
  return database;
}

function connect(file: string): Database.Database {
  // 0700: the record holds source code.
  makeFolderSync(path.dirname(file), 0o700);
  // The folder may be somebody's own, open to others; SQLite gives its other files the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma('journal_mode = WAL');
    // One fsync per append, about a millisecond once a step: with NORMAL a power loss could take
    // back several steps, and it may cost at most the running one.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Every method of `target` with its failures turned into VivariumErrors. */
function guarded<A extends unknown[], R>(
  file: string,
  method: (...args: A) => R,
): (...args: A) => R {
  return (...args) => {
    try {
      return method(...args);
    } catch (thrown) {
      throw storeError(thrown, file);
    }
  };
}

/** As {@link guarded}, for a method that takes its time. */
function guardedAsync<A extends unknown[], R>(
  file: string,
  method: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await method(...args);
    } catch (thrown) {
      throw storeError(thrown, file);
    }
  };
}

function guardedRuns(
  file: string,
  database: Database.Database,
): Pick<Store, 'runs' | 'run' | 'cells' | 'cell'> {
  const views = openRunViews(database);
  return {
    runs: guarded(file, views.runs),
    run: guarded(file, views.run),
    cells: guarded(file, views.cells),
    cell: guarded(file, views.cell),
  };
}

/**
 * Opens the record, making the file, its folder and its tables where they are missing. Several
 * processes may have the same file open.
 *
 * @param options.now milliseconds since 1970; for tests
 * @throws VivariumError `store_failed` (damaged, not writable, made by a newer build) or `disk_full`
 */
export function openStore(file: string, options: { now?: () => number } = {}): Store {
  const database = guarded(file, connect)(file);
  const blobs = openBlobs(database);
  const now = options.now ?? Date.now;
  const events = openEvents(database, blobs, now);
  const samples = openSamples(database, () => connectForSamples(file), now);
  const views = openViews(database);
  const lists = openSessionLists(database);
  const kept = openKept(database, now);
  const subscribers = createSubscribers();
  const interrupted = interruptedMarker(database, events);

  const addInTransaction = database.transaction((event: NewEvent) => events.add(event));
  const markInTransaction = database.transaction((isAlive: (owner: string) => boolean) =>
    interrupted.markAll(isAlive),
  );

  function append(event: NewEvent): StoredEvent {
    // Immediate: the write lock is taken first, so that numbers have no gap between processes.
    const stored = addInTransaction.immediate(event);
    subscribers.notify([stored]);
    return stored;
  }

  function markInterrupted(isAlive: (owner: string) => boolean): number {
    if (!interrupted.isAnyDead(isAlive)) return 0;
    const { attempts, appended } = markInTransaction.immediate(isAlive);
    subscribers.notify(appended);
    return attempts;
  }

  return {
    append: guarded(file, append),
    keep: guardedAsync(file, blobs.keep),
    events: guarded(file, events.list),
    eventsAfter: guarded(file, events.after),
    lastNumber: guarded(file, events.last),
    sessions: guarded(file, views.sessions),
    session: guarded(file, views.session),
    attempts: guarded(file, views.attempts),
    ...guardedRuns(file, database),
    listSessions: guarded(file, lists.listSessions),
    listedSession: guarded(file, lists.listedSession),
    markSession: guarded(file, lists.markSession),
    recentRepositories: guarded(file, lists.recentRepositories),
    kept: {
      get: guarded(file, kept.get),
      set: guarded(file, kept.set),
      remove: guarded(file, kept.remove),
    },
    blob: guarded(file, blobs.get),
    subscribe: subscribers.add,
    markInterrupted: guarded(file, markInterrupted),
    addServerSample: guarded(file, samples.add),
    serverSamples: guarded(file, samples.list),
    latestServerSample: guarded(file, samples.latest),
    close: guarded(file, () => {
      samples.close();
      database.close();
    }),
  };
}
