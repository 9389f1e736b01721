import { useSyncExternalStore } from 'react';

/** A value that several parts of a screen share without drawing all of it anew. */
export interface SharedValue<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createShared<Value>(first: Value): SharedValue<Value> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useShared<Value>(shared: SharedValue<Value>): Value {
  return useSyncExternalStore(shared.subscribe, shared.get);
}

/** Whether it is this very value: draws anew only where that changes. */
export function useIs<Value>(shared: SharedValue<Value>, value: Value): boolean {
  return useSyncExternalStore(shared.subscribe, () => Object.is(shared.get(), value));
}
