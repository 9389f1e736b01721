import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/** Pauses before the next tries: a network of the machine that comes or goes breaks what is being read. */
const AGAIN_AFTER_MS = [200, 1_000, 3_000];

/** A screen that is read when it is first opened, and read again where that was cut off. */
export function lazyScreen<Props>(
  read: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => readAgain(read, AGAIN_AFTER_MS));
}

/** Rejects with what the last try rejected with. */
export async function readAgain<T>(read: () => Promise<T>, pauses: readonly number[]): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const [pause, ...rest] = pauses;
    if (pause === undefined) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
    return readAgain(read, rest);
  }
}
