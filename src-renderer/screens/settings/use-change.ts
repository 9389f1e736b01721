import { useQueryClient } from '@tanstack/react-query';
import type { Settings } from '../../../src-main/contract/index.ts';
import { callKey, useAction } from '../../api/hooks.ts';

/** Changes settings at once: they are seen before the core has kept them, and undone where it could not. */
export function useChange(): { change: (changes: Partial<Settings>) => void; error: unknown } {
  const queries = useQueryClient();
  const action = useAction('settings/set');
  const key = callKey('settings/get', {});
  return {
    error: action.error,
    change: (changes) => {
      const before = queries.getQueryData<Settings>(key);
      void queries.cancelQueries({ queryKey: key });
      if (before !== undefined) queries.setQueryData<Settings>(key, { ...before, ...changes });
      action.mutate(changes, {
        onSuccess: (kept) => queries.setQueryData<Settings>(key, kept),
        onError: () => queries.setQueryData<Settings>(key, before),
      });
    },
  };
}
