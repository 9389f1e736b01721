import { useEffect } from 'react';
import { useCall, useConnection } from '../api/hooks.ts';
import type { Place } from '../navigation.ts';
import { useServices } from '../services.ts';
import { shellText } from '../text/en/shell.ts';
import { visibleLine } from '../visible.ts';

/** Names the window after what it shows: several tabs are told apart by their titles. */
export function usePageTitle(place: Place, screen: string): void {
  const { platform } = useServices();
  const open = useConnection() === 'open';
  const session = place.screen === 'session' ? place.session : null;
  const enabled = open && session !== null;
  const { data } = useCall('sessions/get', { session: session ?? '-' }, { enabled });
  const subject = place.screen === 'model' ? place.name : session === null ? null : data?.row.title;
  const title = pageTitle(screen, subject ?? null);
  useEffect(() => platform.setTitle?.(title), [platform, title]);
}

/** Titles of sessions can be pages long. */
const MOST_CHARACTERS = 80;

/** `Sessions · Vivarium`, or what is open on the screen; nothing foreign in it hides. */
export function pageTitle(screen: string, subject: string | null): string {
  const shown = subject === null ? screen : visibleLine(subject.slice(0, MOST_CHARACTERS));
  return shellText.title(shown);
}
