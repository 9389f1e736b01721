import { useEffect } from 'react';
import { useServices } from '../services.ts';
import { useNewest } from '../use-newest.ts';
import type { ActionId } from './actions.ts';

/** Offers an action while the component is there: to its keys, the palette and native menus. */
export function useActionKey(id: ActionId, run: () => void, enabled = true): void {
  const { shortcuts } = useServices();
  const newest = useNewest(run);
  useEffect(
    () => (enabled ? shortcuts.offer(id, () => newest.current()) : undefined),
    [shortcuts, id, enabled, newest],
  );
}

/** The keys of an action as they are now, for buttons that show them. */
export function useKeysOf(id: ActionId): string {
  return useServices().shortcuts.keysOf(id);
}
