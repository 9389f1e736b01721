import { useCallback, useState } from 'react';
import { forget, remember, remembered } from '../remembered.ts';
import type { NoteDraft } from '../review-context.ts';

/**
 * The note that is being written. Its text is a draft of the core; where it stands is kept by the
 * browser, so that a page that is loaded again opens it again.
 */
export function useOpenDraft(
  attempt: string,
): [NoteDraft | null, (draft: NoteDraft | null) => void] {
  const name = `review.note.${attempt}`;
  const [draft, setDraft] = useState(() => draftOf(remembered(name)));
  const set = useCallback(
    (next: NoteDraft | null) => {
      setDraft(next);
      if (next === null) forget(name);
      else remember(name, JSON.stringify(next));
    },
    [name],
  );
  return [draft, set];
}

/** `null` where nothing was kept, or something that is no place of a note. */
export function draftOf(kept: string | null): NoteDraft | null {
  try {
    const found: unknown = JSON.parse(kept ?? 'null');
    return isDraft(found) ? found : null;
  } catch {
    return null;
  }
}

function isDraft(found: unknown): found is NoteDraft {
  if (typeof found !== 'object' || found === null) return false;
  const { path, line, id } = found as Partial<Record<keyof NoteDraft, unknown>>;
  return (
    typeof path === 'string' &&
    (line === null || typeof line === 'number') &&
    (id === null || typeof id === 'string')
  );
}
