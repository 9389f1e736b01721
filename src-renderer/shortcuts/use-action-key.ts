import { useEffect, useRef } from 'react';
import { useServices } from '../services.ts';
import type { ActionId } from './actions.ts';

/** Offers an action while the component is there: to its keys, the palette and native menus. */
export function useActionKey(id: ActionId, run: () => void, enabled = true): void {
  const { shortcuts } = useServices();
  const newest = useRef(run);
  newest.current = run;
  useEffect(
    () => (enabled ? shortcuts.offer(id, () => newest.current()) : undefined),
    [shortcuts, id, enabled],
  );
}

/** The keys of an action as they are now, for buttons that show them. */
export function useKeysOf(id: ActionId): string {
  return useServices().shortcuts.keysOf(id);
}
