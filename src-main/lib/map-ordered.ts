/**
 * Yields `work(item)` for every item in order while up to `window` calls run ahead. At most `window`
 * results are in memory.
 */
export async function* mapOrdered<Item, Result>(
  items: Iterable<Item>,
  window: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running: Promise<Result>[] = [];
  try {
    for (const item of items) {
      running.push(work(item));
      if (running.length < window) continue;
      const first = running.shift();
      if (first !== undefined) yield await first;
    }
    for (let first = running.shift(); first !== undefined; first = running.shift()) {
      yield await first;
    }
  } finally {
    // After a failure or an early end the others still run; their results are nobody's business.
    await Promise.allSettled(running);
  }
}
