import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useConnection } from '../api/hooks.ts';
import { sessionEventsKey } from '../api/live-cache.ts';
import { Banner } from '../components/notes.tsx';
import { useNotices } from '../services.ts';
import { shellText } from '../text/en/shell.ts';

/** Says that the core is away, and that it is back. */
export function ConnectionBanner() {
  const connection = useConnection();
  const notices = useNotices();
  const queries = useQueryClient();
  const before = useRef(connection);
  useEffect(() => {
    if (before.current === 'lost' && connection === 'open') {
      notices.tell({ tone: 'ok', text: shellText.connection.back });
      // Records of sessions go on where they were; of all else nobody told what changed meanwhile.
      const isRecord = (key: readonly unknown[]) => key[0] === sessionEventsKey('')[0];
      void queries.invalidateQueries({ predicate: ({ queryKey }) => !isRecord(queryKey) });
    }
    before.current = connection;
  }, [connection, notices, queries]);
  if (connection === 'open') return null;
  if (connection === 'connecting')
    return <Banner tone="info">{shellText.connection.connecting}</Banner>;
  if (connection === 'lost') return <Banner tone="warn">{shellText.connection.lost}</Banner>;
  return (
    <Banner tone="bad">
      <p>{shellText.connection.refused}</p>
      <p>{shellText.connection.refusedNext}</p>
    </Banner>
  );
}
