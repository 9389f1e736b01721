import { useEffect, useRef, useState } from 'react';
import { useCall } from '../api/hooks.ts';
import { useServices } from '../services.ts';
import { useNewest } from '../use-newest.ts';

/** Text is kept this long after the last key. */
const KEEP_AFTER_MS = 600;

export interface Draft {
  text: string;
  setText: (text: string) => void;
  /** What was kept has been looked for; typing before that is not overwritten. */
  ready: boolean;
  /** After it was sent: nothing is left of it. */
  discard: () => void;
}

/** Text that outlives the page: kept by the core under a key while it is typed. */
export function useDraft(key: string, initial = ''): Draft {
  const { client } = useServices();
  const kept = useCall('drafts/get', { key });
  const [typed, setTyped] = useState<string | null>(null);
  const pending = useRef<string | null | undefined>(undefined);
  const save = useNewest(() => {
    if (pending.current === undefined) return;
    const text = pending.current;
    pending.current = undefined;
    // A draft that cannot be kept is still in the field.
    client.call('drafts/set', { key, text }).catch(() => undefined);
  });
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => save.current(), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, save]);
  useEffect(() => {
    const now = () => save.current();
    addEventListener('pagehide', now);
    return () => {
      removeEventListener('pagehide', now);
      now();
    };
  }, [save]);
  return {
    text: typed ?? kept.data?.text ?? initial,
    ready: !kept.isPending,
    setText(text) {
      pending.current = text === '' ? null : text;
      setTyped(text);
    },
    discard() {
      pending.current = null;
      setTyped('');
      save.current();
    },
  };
}
