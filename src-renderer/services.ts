import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import type { Live } from './api/live.ts';
import type { Client } from './api/types.ts';
import { type Place, parsePlace } from './navigation.ts';
import type { Platform } from './platform/platform.ts';
import type { Notices } from './shell/notices.ts';
import type { Shortcuts } from './shortcuts/registry.ts';

/** What every component may use; made once by `main.tsx`, or by a test. */
export interface Services {
  client: Client;
  live: Live;
  platform: Platform;
  shortcuts: Shortcuts;
  notices: Notices;
  /** Goes to a place; `replace` leaves no step to go back to. */
  navigate: (place: Place, options?: { replace?: boolean }) => void;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('no services around this component');
  return services;
}

/** Where the page is; follows the hash, and is the same object as long as that is the same. */
export function usePlace(): Place {
  const hash = useSyncExternalStore(onHash, () => location.hash);
  return useMemo(() => parsePlace(hash), [hash]);
}

type SessionPlace = Extract<Place, { screen: 'session' }>;

/**
 * Changes parts of where the session's screen is. It goes on from the address as it is by then: a key
 * can come before the page has drawn what the last one changed.
 */
export function useMoveInSession(): (
  change: Partial<Omit<SessionPlace, 'screen' | 'session'>>,
  options?: { replace?: boolean },
) => void {
  const { navigate } = useServices();
  return useCallback(
    (change, options = { replace: true }) => {
      const now = parsePlace(location.hash);
      if (now.screen === 'session') navigate({ ...now, ...change }, options);
    },
    [navigate],
  );
}

/** Shows a notice for a while: `notices.tell({ tone, text })`. */
export function useNotices(): Notices {
  return useServices().notices;
}

/** Tells assistive techniques what changed without moving the focus. */
export function useAnnounce(): (text: string) => void {
  return useServices().notices.announce;
}

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
