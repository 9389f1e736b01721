import { useEffect, useRef, useState } from 'react';
import { useNewest } from './use-newest.ts';

/**
 * A value that changes often, as one looks at it: anew at most once in so many milliseconds, and so
 * long after a change the newest one. With 0 as it is.
 */
export function useCalm<Value>(value: Value, everyMs: number): Value {
  const [calm, setCalm] = useState(value);
  const newest = useNewest(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (timer.current !== undefined || Object.is(value, calm)) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setCalm(newest.current);
    }, everyMs);
  }, [value, calm, everyMs, newest]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return everyMs === 0 ? value : calm;
}
