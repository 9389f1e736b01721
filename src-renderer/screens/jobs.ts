import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { CallName, InputOf, Job, StreamName } from '../../src-main/contract/index.ts';
import { outdate, type StreamState } from '../api/hooks.ts';
import type { Client } from '../api/types.ts';
import { useServices } from '../services.ts';

/**
 * Work that a person started and that goes on while they look at something else: a start that is
 * loading, a bench, an image that is built. It belongs to the core: it ends when it is stopped, and a
 * page that was reloaded finds it again.
 */
export interface Jobs {
  get<N extends StreamName>(name: N, key: string): StreamState<N>;
  /** Ends what runs under this key and begins anew; resolves when it has ended, however it did. */
  start<N extends StreamName>(name: N, key: string, input: InputOf<N>): Promise<void>;
  /** Ends it; what it told so far is forgotten. */
  stop(name: StreamName, key: string): void;
  /** Watches work of the core that runs already; what is watched stays as it is. */
  join(running: readonly Job[]): void;
  subscribe(listener: () => void): () => void;
}

/** Items kept of a job: the lines of a build, as many as anyone reads. */
const KEPT_ITEMS = 2_000;

/** Items that come faster are shown together. */
const TELL_MS = 60;

const IDLE = { state: 'idle', items: [], last: null } as const;

export function createJobs(client: Client): Jobs {
  const states = new Map<string, StreamState<StreamName>>();
  const running = new Map<string, AbortController>();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  const tell = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const listener of listeners) listener();
  };
  const tellSoon = () => {
    timer ??= setTimeout(tell, TELL_MS);
  };

  const run = async (name: StreamName, input: unknown, id: string, stop: AbortController) => {
    await follow(client, { name, input, signal: stop.signal }, (state) => {
      states.set(id, state);
      if (state.state === 'running' && state.items.length > 0) tellSoon();
      else tell();
    });
    if (running.get(id) === stop) running.delete(id);
  };

  const stop = (name: StreamName, key: string) => {
    const id = idOf(name, key);
    running.get(id)?.abort();
    running.delete(id);
    states.delete(id);
    tell();
  };

  return {
    get: <N extends StreamName>(name: N, key: string) =>
      (states.get(idOf(name, key)) ?? IDLE) as StreamState<N>,
    start(name, key, input) {
      stop(name, key);
      const controller = new AbortController();
      const id = idOf(name, key);
      running.set(id, controller);
      return run(name, input, id, controller);
    },
    stop,
    join(found) {
      for (const job of found) {
        const id = idOf(job.name, keyOf(job));
        if (running.has(id)) continue;
        const controller = new AbortController();
        running.set(id, controller);
        void run(job.name, job.input, id, controller);
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Tells each state of a stream until it has ended; nothing after it was aborted. */
async function follow(
  client: Client,
  { name, input, signal }: { name: StreamName; input: unknown; signal: AbortSignal },
  tell: (state: StreamState<StreamName>) => void,
): Promise<void> {
  let items: unknown[] = [];
  const set = (state: object) => {
    if (signal.aborted) return;
    tell({ ...state, items, last: items.at(-1) ?? null } as StreamState<StreamName>);
  };
  set({ state: 'running' });
  try {
    const stream = client.stream(name, input as InputOf<StreamName>, { signal });
    for (;;) {
      const next = await stream.next();
      if (next.done === true) {
        set({ state: 'done', output: next.value });
        return;
      }
      items = [...items, next.value].slice(-KEPT_ITEMS);
      set({ state: 'running' });
    }
  } catch (error) {
    set({ state: 'failed', error });
  }
}

/** The one dialog of its kind shows it, whatever it is about. */
export const ONE = 'the one';

/** The key that a screen has for the work: the model it is about, or the one dialog. */
function keyOf({ name, subject }: Job): string {
  return name === 'models/add' || name === 'environment/buildImage' ? ONE : subject;
}

function idOf(name: string, key: string): string {
  return `${name} ${key}`;
}

/** One set of jobs for each client: each page has one. */
const made = new WeakMap<Client, Jobs>();

export function jobsOf(client: Client): Jobs {
  const known = made.get(client) ?? createJobs(client);
  made.set(client, known);
  return known;
}

export interface UseJob<N extends StreamName> {
  job: StreamState<N>;
  start: (input: InputOf<N>) => void;
  stop: () => void;
}

/**
 * A job of this name and key, whoever started it. `changes` names the questions whose answers are old
 * when it has ended.
 */
export function useJob<N extends StreamName>(
  name: N,
  key: string,
  changes: readonly CallName[] = [],
): UseJob<N> {
  const jobs = jobsOf(useServices().client);
  const queries = useQueryClient();
  const job = useSyncExternalStore(jobs.subscribe, () => jobs.get(name, key));
  const start = useCallback(
    (input: InputOf<N>) => {
      void jobs.start(name, key, input).then(() => outdate(queries, changes));
    },
    // eslint-disable-next-line react/exhaustive-deps -- the names are written where it is called
    [jobs, name, key, queries],
  );
  const stop = useCallback(() => jobs.stop(name, key), [jobs, name, key]);
  return { job, start, stop };
}
