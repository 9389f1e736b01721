import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether an element has more inside than it shows: the keyboard has to reach it then. */
export function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const look = () => setOverflows(box.scrollHeight > box.clientHeight);
    const observer = new ResizeObserver(look);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return overflows;
}
