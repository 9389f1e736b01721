import { createContext, useContext, useSyncExternalStore } from 'react';

/** What is open and what is folded; outlives rows that scroll out of sight. */
export interface Folds {
  isOpen(key: string, usual: boolean): boolean;
  set(key: string, open: boolean): void;
  /** Opens or folds everything there is. */
  setAll(open: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function createFolds(): Folds {
  const listeners = new Set<() => void>();
  const own = new Map<string, boolean>();
  let all: boolean | null = null;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    isOpen: (key, usual) => own.get(key) ?? all ?? usual,
    set(key, open) {
      own.set(key, open);
      tell();
    },
    setAll(open) {
      own.clear();
      all = open;
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const FoldsContext = createContext<Folds>(createFolds());

/** Whether a part is open, and what turns it over. */
export function useFold(key: string, usual: boolean): [open: boolean, toggle: () => void] {
  const folds = useContext(FoldsContext);
  const open = useSyncExternalStore(folds.subscribe, () => folds.isOpen(key, usual));
  return [open, () => folds.set(key, !open)];
}
