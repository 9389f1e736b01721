import type {
  CallName,
  InputOf,
  ItemOf,
  OutputOf,
  StreamName,
} from '../../src-main/contract/index.ts';

/**
 * `connecting` = never connected yet; `lost` = was connected, tries again by itself;
 * `refused` = the core does not accept this page (token gone), only a new link helps.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Calls only: given up with `timeout` after this; `null` = never. Default: see `policy.ts`. */
  timeoutMs?: number | null;
  /** Calls only: asked again when the connection was lost. Default: those that only look. */
  repeatable?: boolean;
}

/** What a stream gives: items in order; the generator's return value is the stream's output. */
export type ClientStream<N extends StreamName> = AsyncGenerator<ItemOf<N>, OutputOf<N>, void>;

/** The renderer's one way to the core; the same over IPC and WebSocket. */
export interface Client {
  /** Rejects with {@link CallError}; waits for the connection when there is none yet. */
  call<N extends CallName>(name: N, input: InputOf<N>, options?: CallOptions): Promise<OutputOf<N>>;
  /**
   * Ends with {@link CallError} when the connection is lost: the caller asks again. But for `live`:
   * that goes on after the last event seen, and misses none.
   */
  stream<N extends StreamName>(name: N, input: InputOf<N>, options?: CallOptions): ClientStream<N>;
  connection: {
    current(): ConnectionState;
    /** Returns what ends the subscription. */
    subscribe(listener: () => void): () => void;
  };
  close(): void;
}
