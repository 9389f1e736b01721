export interface Notice {
  id: number;
  tone: 'info' | 'ok' | 'bad';
  text: string;
  /** What to do about it. */
  action?: { label: string; run: () => void };
}

/** Short messages over the page, and words for those who only hear it. */
export interface Notices {
  /** Bad ones stay until dismissed; others go by themselves. */
  tell(notice: Omit<Notice, 'id'>): void;
  dismiss(id: number): void;
  announce(text: string): void;
  subscribe(listener: () => void): () => void;
  shown(): readonly Notice[];
  announced(): string;
}

const SHOWN_MS = 6_000;
const MOST = 4;

export function createNotices(): Notices {
  const listeners = new Set<() => void>();
  let shown: readonly Notice[] = [];
  let announced = '';
  let newest = 0;
  const change = (next: readonly Notice[]) => {
    shown = next;
    for (const listener of listeners) listener();
  };
  const dismiss = (id: number) => change(shown.filter((notice) => notice.id !== id));
  return {
    tell(notice) {
      newest += 1;
      const id = newest;
      change([...shown, { ...notice, id }].slice(-MOST));
      if (notice.tone !== 'bad') setTimeout(() => dismiss(id), SHOWN_MS);
    },
    dismiss,
    announce(text) {
      // The same words again are told again only when the region changed in between.
      announced = announced === text ? `${text}\u00a0` : text;
      change(shown);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: () => shown,
    announced: () => announced,
  };
}
