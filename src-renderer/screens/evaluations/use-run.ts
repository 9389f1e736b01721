import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { OutputOf } from '../../../src-main/contract/index.ts';
import { callKey, useCall, useConnection } from '../../api/hooks.ts';
import type { Client } from '../../api/types.ts';
import { useServices } from '../../services.ts';
import { cellOf, withRows } from './cells.ts';

type Rows = OutputOf<'evaluation/cells'>;
type Report = OutputOf<'evaluation/run'>;

/** Figures are made anew at most so often while attempts end. */
const FIGURES_EVERY_MS = 5_000;

/** A run with its figures and cells, kept current while it is looked at. */
export function useRun(run: string) {
  const enabled = useConnection() === 'open';
  const report = useCall('evaluation/run', { run }, { enabled, keep: true });
  const cells = useCall('evaluation/cells', { run }, { enabled });
  useFollow(run, cells.data?.number ?? null);
  const rows = cells.data?.cells;
  return {
    report: report.data,
    cells: useMemo(() => rows?.map(cellOf), [rows]),
    error: report.error ?? cells.error,
    retry: () => {
      void report.refetch();
      void cells.refetch();
    },
  };
}

/** Watches from the number that the cells were read at: what came between is told first. */
function useFollow(run: string, from: number | null): void {
  const { client } = useServices();
  const queries = useQueryClient();
  const open = useConnection() === 'open';
  const isRead = from !== null;
  useEffect(() => {
    if (!open || !isRead) return undefined;
    const stop = new AbortController();
    const figures = figuresLater(queries, run);
    void follow(client, queries, run, figures.ask, stop.signal);
    return () => {
      stop.abort();
      figures.stop();
    };
  }, [client, queries, open, isRead, run]);
}

async function follow(
  client: Client,
  queries: QueryClient,
  run: string,
  onEnded: () => void,
  signal: AbortSignal,
): Promise<void> {
  const key = callKey('evaluation/cells', { run });
  const after = queries.getQueryData<Rows>(key)?.number ?? 0;
  try {
    const changes = client.stream('evaluation/watch', { run, after }, { signal });
    for await (const { number, summary, cells } of changes) {
      queries.setQueryData<Rows>(key, (known) =>
        known === undefined ? undefined : { number, cells: withRows(known.cells, cells) },
      );
      for (const [session] of cells) {
        void queries.invalidateQueries({ queryKey: callKey('evaluation/cell', { session }) });
      }
      const reportKey = callKey('evaluation/run', { run });
      const before = queries.getQueryData<Report>(reportKey)?.summary;
      if (JSON.stringify(before) !== JSON.stringify(summary)) {
        queries.setQueryData<Report>(reportKey, (known) =>
          known === undefined ? undefined : { ...known, summary },
        );
        void queries.invalidateQueries({ queryKey: ['evaluation/runs'] });
      }
      if (cells.some((row) => row[4] !== 'running') || before?.state !== summary.state) onEnded();
    }
  } catch {
    // A lost connection is told by the page; the next one asks again from where this one was.
  }
}

/** Asks for figures anew, soon and not too often. */
function figuresLater(queries: QueryClient, run: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: callKey('evaluation/run', { run }) });
        void queries.invalidateQueries({ queryKey: ['evaluation/compare'] });
      }, FIGURES_EVERY_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
