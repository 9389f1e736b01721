import { useState } from 'react';
import type { InputOf } from '../../../../src-main/contract/index.ts';
import { useAction } from '../../../api/hooks.ts';
import { useNotices } from '../../../services.ts';
import { profileText } from '../../../text/en/model-profile.ts';

/** What a person should know of a profile that was saved, by model: kept while the page lives. */
const noted = new Map<string, string[]>();

/** Saves a profile, and keeps what it says about programs and files of this machine. */
export function useSave(name: string) {
  const action = useAction('models/setProfile', ['models/profile', 'models/plan', 'models/list']);
  const notices = useNotices();
  const [, setCount] = useState(0);
  return {
    isSaving: action.isPending,
    error: action.error,
    notes: noted.get(name) ?? [],
    save: (what: Omit<InputOf<'models/setProfile'>, 'name'>) => {
      action.mutate(
        { name, ...what },
        {
          onSuccess: ({ notes }) => {
            noted.set(name, notes);
            setCount((count) => count + 1);
            notices.tell({ tone: 'ok', text: profileText.saved });
          },
        },
      );
    },
  };
}
