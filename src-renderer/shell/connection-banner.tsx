import { useEffect, useRef } from 'react';
import { useConnection } from '../api/hooks.ts';
import { Banner } from '../components/notes.tsx';
import { useNotices } from '../services.ts';
import { shellText } from '../text/en/shell.ts';

/** Says that the core is away, and that it is back. */
export function ConnectionBanner() {
  const connection = useConnection();
  const notices = useNotices();
  const before = useRef(connection);
  useEffect(() => {
    if (before.current === 'lost' && connection === 'open') {
      notices.tell({ tone: 'ok', text: shellText.connection.back });
    }
    before.current = connection;
  }, [connection, notices]);
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
