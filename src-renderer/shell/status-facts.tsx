import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

/** Figures of a screen in the status bar: time by who took it, for one. */
export function StatusFacts({ children }: { children: ReactNode }) {
  const [host, setHost] = useState<Element | null>(null);
  useLayoutEffect(() => setHost(document.querySelector('#status-facts')), []);
  return host === null ? null : createPortal(children, host);
}
