import { useSyncExternalStore } from 'react';

/** Whether the page is at least so wide, in rem: zoom counts. */
export function useWide(rem: number): boolean {
  return useSyncExternalStore(onResize, () => widthRem() >= rem);
}

function widthRem(): number {
  const root = document.documentElement;
  return root.clientWidth / Number.parseFloat(getComputedStyle(root).fontSize);
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}
