import { useLayoutEffect, useRef } from 'react';

/** What a component was last drawn with, for callbacks that outlive a drawing. */
export function useNewest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
