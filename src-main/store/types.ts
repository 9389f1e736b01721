import type {
  EventBody,
  EventType,
  ExitReason,
  RunCell,
  RunSummary,
  ServerSample,
  StoredEvent,
} from '../contract/index.ts';

export interface NewEvent {
  sessionId: string;
  attemptId: string | null;
  body: EventBody;
  /** Contents the body refers to by sha256; stored in the same transaction. */
  blobs?: readonly Uint8Array[];
}

export type SessionState =
  | 'running'
  | 'interrupted'
  | 'verified'
  | 'patched'
  | 'not_verified'
  | 'no_patch'
  | 'cancelled'
  | 'failed';

/** Row of the session list; derived from events in the transaction that appends them. */
export interface SessionSummary {
  sessionId: string;
  title: string;
  repository: string;
  model: string;
  scaffold: string;
  state: SessionState;
  createdAt: number;
  updatedAt: number;
  attempts: number;
  steps: number;
  insertions: number;
  deletions: number;
  files: number;
  /** `null` = no verification was asked for or it did not run. */
  verified: boolean | null;
}

/** Row of the app's list: with what a person marked. */
export interface ListedSession extends SessionSummary {
  pinned: boolean;
  archived: boolean;
  /** It ended after it was last marked as seen. */
  unseen: boolean;
}

export interface SessionListQuery {
  /** Words that title, repository, model or id hold, whatever their case; all of them. */
  text: string;
  /** Empty = all. */
  states: readonly SessionState[];
  repository: string | null;
  /** Cells of this run; `null` or absent = sessions that are of none. */
  run?: string | null | undefined;
  /** Only those that are archived; else only those that are not. */
  archived: boolean;
  sort: 'newest' | 'oldest' | 'updated' | 'title' | 'steps';
  offset: number;
  limit: number;
}

/** A cell as the record has it; what it came to is for the evaluation room to say. */
export type StoredCell = Omit<RunCell, 'outcome' | 'ending'>;

/** Row of one attempt; derived like the session's. */
export interface AttemptSummary {
  attemptId: string;
  sessionId: string;
  number: number;
  seed: number;
  owner: string;
  exitReason: ExitReason | null;
  steps: number;
}

/** Seconds that a kept look at a server stands for. */
export type SampleResolution = 1 | 10 | 60 | 600;

/**
 * The record. Append-only; every view is derived. All methods but `keep` are synchronous (better-sqlite3) and
 * throw VivariumError `store_failed` or `disk_full`; an append is all or nothing and durable against
 * the death of the process and of the machine's power (WAL, `synchronous = FULL`).
 */
export interface Store {
  append(event: NewEvent): StoredEvent;
  /**
   * Stores large contents ahead of the event that names them, hashed and compressed beside the main
   * thread; returns those that are left to hand over with the event. Without it an append of megabytes
   * holds up everything else. A content whose event never comes is no fault: none is stored twice.
   */
  keep(contents: readonly Uint8Array[]): Promise<Uint8Array[]>;
  /**
   * Events of a session in order, optionally after a number or of one attempt; `limit` = at most.
   * `without` one kind: steps hold nearly all of a record, and most questions are about the rest.
   */
  events(filter: {
    sessionId: string;
    attemptId?: string;
    after?: number;
    limit?: number;
    without?: EventType;
  }): StoredEvent[];
  /**
   * Events of all sessions (or one) after a number, in order, whichever process wrote them: at most
   * `limit`. `last` is how far was read, kinds included that this build does not know.
   */
  eventsAfter(filter: { after: number; sessionId?: string | undefined; limit: number }): {
    events: StoredEvent[];
    last: number;
  };
  /** Number of the newest event of any process; 0 = none. */
  lastNumber(): number;
  /** Newest first: those of a run, or else those that are of none. */
  sessions(options?: { limit?: number; offset?: number; run?: string | null }): SessionSummary[];
  /** By id or unambiguous prefix; throws `session_not_found` otherwise. */
  session(idOrPrefix: string): SessionSummary;
  attempts(sessionId: string): AttemptSummary[];
  /** Newest first. */
  runs(): RunSummary[];
  /** By id or unambiguous prefix; throws `run_not_found` otherwise. */
  run(idOrPrefix: string): RunSummary;
  /** Cells of a run that have begun, by entry, task and seed. What the rest of them is, the run's first event tells. */
  cells(runId: string): StoredCell[];
  /** The cell that a session is; `undefined` for any other session. */
  cell(sessionId: string): StoredCell | undefined;
  /** A page of the app's list, pinned ones first; `total` counts all that match, `counts` is of all that are not archived. */
  listSessions(query: SessionListQuery): {
    rows: ListedSession[];
    total: number;
    counts: Record<string, number>;
  };
  listedSession(sessionId: string): ListedSession | undefined;
  /** Outside the record. What is left out stays; `seenNumber` only rises. */
  markSession(
    sessionId: string,
    marks: {
      pinned?: boolean | undefined;
      archived?: boolean | undefined;
      seenNumber?: number | undefined;
    },
  ): void;
  /** Repositories of the record, most recently used first. */
  recentRepositories(limit: number): { path: string; usedAt: number }[];
  /**
   * What people set or typed, as JSON by area and key; outside the record. Check what `get` returns:
   * another build may have written it. `undefined` = not there, or no JSON any more.
   */
  readonly kept: {
    get(area: string, key: string): unknown;
    set(area: string, key: string, value: unknown): void;
    remove(area: string, key: string): void;
  };
  /** Content by sha256; throws `store_failed` if it is not there. */
  blob(sha256: string): Uint8Array;
  /** Called after each append of this process, in order. */
  subscribe(listener: (event: StoredEvent) => void): () => void;
  /**
   * Marks attempts and runs whose owner (see `attempt.started`) is dead as `interrupted`.
   * Returns how many attempts there were.
   */
  markInterrupted(isAlive: (owner: string) => boolean): number;
  /**
   * Keeps a look at a server, for 10 minutes by the second, 6 hours by 10 s, 7 days by the minute and
   * 90 days by 10 minutes. Takes well under a millisecond and waits for no disk: a power loss may take
   * the last seconds. Several processes may add at once.
   */
  addServerSample(server: string, sample: ServerSample): void;
  /**
   * Looks at a server since a moment (milliseconds since 1970), oldest first. Coarser ones hold means
   * of gauges, sums in `interval`, rates over the time covered, and the last value of counters; their
   * `at` is the beginning of the time they stand for. Default resolution: the finest that is kept for
   * as long as `since` is ago.
   */
  serverSamples(
    server: string,
    options: { since: number; resolution?: SampleResolution },
  ): ServerSample[];
  /** The newest look at a server; `null` when there was none in the last 10 minutes. */
  latestServerSample(server: string): ServerSample | null;
  close(): void;
}
