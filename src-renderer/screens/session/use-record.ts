import type { StoredEvent } from '../../../src-main/contract/index.ts';
import { useCall, useSessionEvents } from '../../api/hooks.ts';

/** Events of the first screen: what is shown while the rest of a long record is on its way. */
const FIRST_EVENTS = 12;

export interface SessionRecord {
  events: readonly StoredEvent[] | null;
  complete: boolean;
  error: unknown;
  retry: () => void;
}

/** The record of a session: its first page as soon as it is there, then all of it, kept current. */
export function useRecord(session: string): SessionRecord {
  const first = useCall('sessions/events', { session, limit: FIRST_EVENTS });
  const all = useSessionEvents(session, first.data?.events ?? null);
  return {
    events: all.data?.events ?? first.data?.events ?? null,
    complete: all.data !== undefined,
    error: all.error ?? first.error,
    retry: () => {
      void first.refetch();
      void all.refetch();
    },
  };
}
