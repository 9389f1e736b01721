import type { InputOf } from '../../src-main/contract/index.ts';
import { follow } from './ask.ts';
import { CallError } from './call-error.ts';
import type { Exchanges } from './exchanges.ts';
import { cancelledHere } from './failures.ts';
import type { CallOptions, ClientStream } from './types.ts';

/** A core that ends the stream is ending itself; another one may take its place. */
const ASK_AGAIN_AFTER_MS = 250;

/**
 * `live` over losses of the connection: asks again with the number of the last event that was seen,
 * so that each event comes once and none is missed. Activities of the gap are gone, as the contract
 * allows. Ends only by the signal, or when the page is not known any more.
 */
export async function* followLive(
  exchanges: Exchanges,
  input: InputOf<'live'>,
  options: CallOptions,
): ClientStream<'live'> {
  let after = input.after ?? null;
  for (;;) {
    try {
      for await (const item of follow(exchanges, 'live', { ...input, after }, options)) {
        if (item.kind === 'from') after = item.number;
        if (item.kind === 'event') after = item.event.number;
        if (item.kind !== 'from') yield item;
      }
      await pause(options.signal);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'connection_lost') throw error;
    }
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_AFTER_MS));
  if (signal?.aborted === true) throw cancelledHere();
}
