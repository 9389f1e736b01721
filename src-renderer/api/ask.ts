import {
  CONTRACT,
  type CallName,
  type InputOf,
  type ItemOf,
  type OutputOf,
  type StreamName,
} from '../../src-main/contract/index.ts';
import type { Exchange, Exchanges } from './exchanges.ts';
import { cancelledHere, notUnderstood, timedOut } from './failures.ts';
import { createItemQueue } from './item-queue.ts';
import { isRepeatable, timeoutOf } from './policy.ts';
import type { CallOptions, ClientStream } from './types.ts';

/** Asks once and waits for the answer; see `Client.call`. */
export async function ask<N extends CallName>(
  exchanges: Exchanges,
  name: N,
  input: InputOf<N>,
  options: CallOptions,
): Promise<OutputOf<N>> {
  const { signal, timeoutMs = timeoutOf(name), repeatable = isRepeatable(name) } = options;
  if (signal?.aborted === true) throw cancelledHere();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const exchange: Exchange = {
    ...{ name, input, repeatable },
    onItem: () => undefined,
    onResult: resolve,
    onError: reject,
  };
  const giveUp = (error: Error): void => {
    exchanges.cancel(exchange);
    reject(error);
  };
  const onAbort = (): void => giveUp(cancelledHere());
  const timer =
    timeoutMs === null ? undefined : setTimeout(() => giveUp(timedOut(name, timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  exchanges.start(exchange);
  try {
    return understood(name, 'output', await promise) as OutputOf<N>;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Items until the core is done; ends with an error when the connection is lost. */
export async function* follow<N extends StreamName>(
  exchanges: Exchanges,
  name: N,
  input: InputOf<N>,
  { signal }: CallOptions,
): ClientStream<N> {
  if (signal?.aborted === true) throw cancelledHere();
  const queue = createItemQueue<unknown, unknown>((count) => exchanges.taken(exchange, count));
  const exchange: Exchange = {
    ...{ name, input, repeatable: false },
    onItem: queue.push,
    onResult: queue.end,
    onError: queue.fail,
  };
  const onAbort = (): void => {
    exchanges.cancel(exchange);
    queue.fail(cancelledHere());
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  exchanges.start(exchange);
  try {
    for (;;) {
      const next = await queue.next();
      if (next.done === true) return understood(name, 'output', next.value) as OutputOf<N>;
      yield understood(name, 'item', next.value) as ItemOf<N>;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // One that has ended is not known any more.
    exchanges.cancel(exchange);
  }
}

function understood(name: CallName | StreamName, part: 'output' | 'item', value: unknown): unknown {
  const shape = CONTRACT[name];
  const schema = part === 'item' && 'item' in shape ? shape.item : shape.output;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notUnderstood(name, `${part}.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
