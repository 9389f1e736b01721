import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type {
  CallName,
  InputOf,
  ItemOf,
  OutputOf,
  StoredEvent,
  StreamName,
} from '../../src-main/contract/index.ts';
import { useServices } from '../services.ts';
import type { Activity } from './activities.ts';
import { sessionEventsKey, type SessionEvents } from './live-cache.ts';
import type { Client, ConnectionState } from './types.ts';

export interface UseCallOptions {
  enabled?: boolean;
  /** Asked again each so many milliseconds. */
  everyMs?: number;
  /** What was there stays while another input is asked for (lists that are filtered). */
  keep?: boolean;
}

/** Key of a call's answer; with the name alone it stands for all inputs. */
export function callKey<N extends CallName>(name: N, input?: InputOf<N>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** The answer to a question that only looks. */
export function useCall<N extends CallName>(
  name: N,
  input: InputOf<N>,
  options: UseCallOptions = {},
): UseQueryResult<OutputOf<N>> {
  const { client } = useServices();
  return useQuery<OutputOf<N>>({
    queryKey: callKey(name, input),
    queryFn: ({ signal }) => client.call(name, input, { signal }),
    enabled: options.enabled ?? true,
    refetchInterval: options.everyMs ?? false,
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Something that changes things; `changes` names the questions whose answers are old then. */
export function useAction<N extends CallName>(
  name: N,
  changes: readonly CallName[] = [],
): UseMutationResult<OutputOf<N>, Error, InputOf<N>> {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation<OutputOf<N>, Error, InputOf<N>>({
    mutationFn: (input) => client.call(name, input),
    onSuccess: () => outdate(queries, changes),
  });
}

/** Marks answers as old: those in sight are asked for again. */
export async function outdate(queries: QueryClient, names: readonly CallName[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

export type StreamState<N extends StreamName> =
  | { state: 'idle' | 'running'; items: Array<ItemOf<N>>; last: ItemOf<N> | null }
  | { state: 'done'; items: Array<ItemOf<N>>; last: ItemOf<N> | null; output: OutputOf<N> }
  | { state: 'failed'; items: Array<ItemOf<N>>; last: ItemOf<N> | null; error: unknown };

export interface UseStream<N extends StreamName> {
  result: StreamState<N>;
  /** Ends what runs and begins anew. */
  start: (input: InputOf<N>) => void;
  stop: () => void;
}

/** A stream that a person starts; ended with the component. Keeps the last `keep` items. */
export function useStream<N extends StreamName>(name: N, keep = 1_000): UseStream<N> {
  const { client } = useServices();
  const [result, setResult] = useState<StreamState<N>>({ state: 'idle', items: [], last: null });
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
  }, []);
  useEffect(() => stop, [stop]);
  const start = useCallback(
    (input: InputOf<N>) => {
      stop();
      const controller = new AbortController();
      running.current = controller;
      void follow(client, name, input, keep, controller.signal, setResult);
    },
    [client, name, keep, stop],
  );
  return { result, start, stop };
}

/** A stream that belongs to a place: runs while the component is there, again after a loss. */
export function useWatch<N extends StreamName>(
  name: N,
  input: InputOf<N>,
  keep = 1,
): StreamState<N> {
  const { result, start, stop } = useStream(name, keep);
  const connection = useConnection();
  const asked = JSON.stringify(input);
  useEffect(() => {
    if (connection !== 'open') return undefined;
    start(JSON.parse(asked) as InputOf<N>);
    return stop;
  }, [asked, connection, start, stop]);
  return result;
}

async function follow<N extends StreamName>(
  client: Client,
  name: N,
  input: InputOf<N>,
  keep: number,
  signal: AbortSignal,
  tell: (state: StreamState<N>) => void,
): Promise<void> {
  let items: Array<ItemOf<N>> = [];
  const last = () => items.at(-1) ?? null;
  let frame = 0;
  const tellSoon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (!signal.aborted) tell({ state: 'running', items, last: last() });
    });
  };
  tell({ state: 'running', items, last: null });
  try {
    const stream = client.stream(name, input, { signal });
    for (;;) {
      const next = await stream.next();
      if (signal.aborted) return;
      if (next.done === true) {
        cancelAnimationFrame(frame);
        tell({ state: 'done', items, last: last(), output: next.value });
        return;
      }
      items = [...items, next.value].slice(-keep);
      tellSoon();
    }
  } catch (error) {
    cancelAnimationFrame(frame);
    if (!signal.aborted) tell({ state: 'failed', items, last: last(), error });
  }
}

/**
 * The record of a session, kept current by live events. `first` are those at its start that are there
 * already; with `null` it is not asked for.
 */
export function useSessionEvents(
  session: string,
  first: readonly StoredEvent[] | null,
): UseQueryResult<SessionEvents> {
  const { client, live } = useServices();
  return useQuery<SessionEvents>({
    queryKey: sessionEventsKey(session),
    queryFn: ({ signal }) =>
      live.catchUp(session, () => readEvents(client, session, first ?? [], signal)),
    enabled: first !== null,
    // What comes later is appended; only a lost connection could leave a gap, and `live` closes it.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Steps can be large: a page of them is read without a long halt of the page. */
const EVENTS_PAGE = 50;

async function readEvents(
  client: Client,
  session: string,
  first: readonly StoredEvent[],
  signal: AbortSignal,
): Promise<SessionEvents> {
  const events = [...first];
  for (let after = events.at(-1)?.number ?? 0; ;) {
    const page = await client.call(
      'sessions/events',
      { session, after, limit: EVENTS_PAGE },
      { signal },
    );
    events.push(...page.events);
    after = events.at(-1)?.number ?? after;
    if (!page.more || page.events.length === 0) return { events, last: Math.max(after, page.last) };
  }
}

/**
 * What an attempt of a session does now, or (`null`) the one that was heard of last; `undefined`
 * when nothing is known to run.
 */
export function useActivity(session: string, attempt: number | null): Activity | undefined {
  const { live } = useServices();
  return useSyncExternalStore(live.subscribe, () => live.activity(session, attempt));
}

/** State of the connection to the core. */
export function useConnection(): ConnectionState {
  const { client } = useServices();
  return useSyncExternalStore(client.connection.subscribe, client.connection.current);
}
