import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { OutputOf, SessionQuery, SessionRow } from '../../../src-main/contract/index.ts';
import { callKey, useCall, useConnection } from '../../api/hooks.ts';
import { useServices } from '../../services.ts';
import { pagesFor } from './arrange-rows.ts';

/** Rows asked for at a time. */
export const PAGE_ROWS = 200;

export type ListQuery = Omit<SessionQuery, 'offset' | 'limit'>;

export interface SessionPages {
  /** By place; `undefined` where they are not read yet. `null` before the first answer. */
  rows: Array<SessionRow | undefined> | null;
  first: OutputOf<'sessions/list'> | undefined;
  error: unknown;
  /** Rows in sight, so that their pages are read. */
  look: (first: number, last: number) => void;
  retry: () => void;
}

/** The list of sessions in pages: the first one always, others while they are looked at. */
export function useSessionPages(query: ListQuery): SessionPages {
  const { client } = useServices();
  const enabled = useConnection() === 'open';
  const [pages, setPages] = useState<number[]>([0]);
  const first = useCall(
    'sessions/list',
    { ...query, offset: 0, limit: PAGE_ROWS },
    { keep: true, enabled },
  );
  const others = useQueries({
    queries: pages
      .filter((page) => page > 0)
      .map((page) => {
        const input = { ...query, offset: page * PAGE_ROWS, limit: PAGE_ROWS };
        return {
          queryKey: callKey('sessions/list', input),
          queryFn: ({ signal }: { signal: AbortSignal }) =>
            client.call('sessions/list', input, { signal }),
          enabled,
          placeholderData: keepPreviousData,
        };
      }),
    combine: (results) => results.map(({ data }) => data),
  });
  const rows = useMemo(() => {
    if (first.data === undefined) return null;
    const all: Array<SessionRow | undefined> = [...first.data.rows];
    all.length = first.data.total;
    const read = pages.filter((page) => page > 0);
    for (const [place, page] of read.entries()) {
      for (const [index, row] of (others[place]?.rows ?? []).entries()) {
        if (page * PAGE_ROWS + index < all.length) all[page * PAGE_ROWS + index] = row;
      }
    }
    return all;
  }, [first.data, others, pages]);
  const total = first.data?.total ?? 0;
  const look = (from: number, to: number) => {
    const wanted = pagesFor(from, to, PAGE_ROWS, total);
    setPages((known) => (wanted.join() === known.join() ? known : wanted));
  };
  return { rows, first: first.data, error: first.error, look, retry: () => void first.refetch() };
}

/** The running ones that match: shown above all others. */
export function useRunning(query: ListQuery): SessionRow[] {
  const enabled = useConnection() === 'open' && query.states.length === 0 && !query.archived;
  const { data } = useCall(
    'sessions/list',
    { ...query, states: ['running'], sort: 'newest', offset: 0, limit: PAGE_ROWS },
    { keep: true, enabled },
  );
  return enabled ? (data?.rows ?? NONE) : NONE;
}

const NONE: SessionRow[] = [];
