import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ServerStatus } from '../../../src-main/contract/index.ts';
import { outdate, useAction } from '../../api/hooks.ts';
import { useNotices } from '../../services.ts';
import { serverText } from '../../text/en/model-server.ts';
import { visibleLine } from '../../visible.ts';
import { useJob } from '../jobs.ts';
import type { ModelEntry } from './use-models.ts';

export interface Server {
  status: ServerStatus;
  /** The newest of list, watch and the start that runs. */
  state: ServerStatus['state'];
  alert: string | null;
  isStarting: boolean;
  isStopping: boolean;
  /** Why the last start or stop did not work; `null` when it did. */
  error: unknown;
  /** What failed: `start` may be forced when it does not fit, `stop` when it is in use. */
  failed: 'start' | 'stop' | null;
  start: (options?: { overrides?: Record<string, unknown>; force?: boolean }) => void;
  cancelStart: () => void;
  /** Takes the error away. */
  dismiss: () => void;
  stop: (options?: { force?: boolean }) => void;
  restart: () => void;
}

/** What can be done with the server of a model; a start goes on when its page is left. */
export function useServer({ model: { name }, status, sample }: ModelEntry): Server {
  const starting = useJob('models/start', name, ['models/list']);
  const stopping = useAction('models/stop', ['models/list']);
  const queries = useQueryClient();
  const notices = useNotices();
  const isStarting = starting.job.state === 'running';
  const start: Server['start'] = useCallback(
    (options = {}) => {
      stopping.reset();
      starting.start({ name, ...options });
    },
    [name, starting, stopping],
  );
  const stop = useCallback(
    async (options: { force?: boolean }) => {
      starting.stop();
      await stopping.mutateAsync({ name, ...options });
      await outdate(queries, ['models/list']);
    },
    [name, starting, stopping, queries],
  );
  const job = starting.job;
  const error = stopping.error ?? (job.state === 'failed' ? job.error : null);
  return {
    status: isStarting ? (newer(job.last, status) ?? status) : status,
    state: isStarting && status.state === 'stopped' ? 'planning' : status.state,
    alert: sample?.alert ?? null,
    isStarting,
    isStopping: stopping.isPending,
    error,
    failed: error === null ? null : stopping.error === null ? 'start' : 'stop',
    start,
    cancelStart: starting.stop,
    dismiss: () => {
      starting.stop();
      stopping.reset();
    },
    stop: (options = {}) => {
      stop(options).then(
        () => notices.tell({ tone: 'ok', text: serverText.stopped(visibleLine(name)) }),
        // Shown by `error`.
        () => undefined,
      );
    },
    restart: () => {
      stop({}).then(
        () => start(),
        () => undefined,
      );
    },
  };
}

function newer(one: ServerStatus | null, other: ServerStatus): ServerStatus | null {
  return one !== null && one.since > other.since ? one : other;
}
