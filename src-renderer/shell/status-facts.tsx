import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

const never = () => () => undefined;

/** Figures of a screen in the status bar: time by who took it, for one. */
export function StatusFacts({ children }: { children: ReactNode }) {
  // The bar may be drawn after the screen; the store is looked at once more then.
  const host = useSyncExternalStore(never, () => document.querySelector('#status-facts'));
  return host === null ? null : createPortal(children, host);
}
