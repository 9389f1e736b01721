import { useState } from 'react';
import { indexAfterChange } from './list-keys.ts';

export interface MarkedItems<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  onMark?: (item: Item | null) => void;
}

/** The marked row, which stays with its item while rows come and go above it. */
export function useMark<Item>({ items, keyOf, onMark }: MarkedItems<Item>) {
  const [marked, setMarked] = useState<{ key: string | null; index: number }>({
    key: null,
    index: -1,
  });
  const there = items[marked.index];
  const stays = there !== undefined && keyOf(there) === marked.key;
  const index =
    stays || marked.index === -1
      ? marked.index
      : indexAfterChange(items.map(keyOf), marked.key, marked.index);
  return {
    index,
    set: (next: number) => {
      const item = items[next];
      if (item === undefined) return;
      setMarked({ key: keyOf(item), index: next });
      onMark?.(item);
    },
  };
}
