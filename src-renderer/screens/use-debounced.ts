import { useEffect, useState } from 'react';

/** A value that follows another one when that has rested for a while. Compared by content. */
export function useDebounced<Value>(value: Value, restMs: number): Value {
  const [settled, setSettled] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(written) as Value), restMs);
    return () => clearTimeout(timer);
  }, [written, restMs]);
  return settled;
}
