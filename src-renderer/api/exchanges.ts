import {
  MAX_CLIENT_FRAME_CHARS,
  MAX_OPEN_CALLS,
  type ClientFrame,
  type ErrorFrame,
  type ServerFrame,
} from '../../src-main/contract/index.ts';
import { CallError } from './call-error.ts';
import { connectionLost, tooLong } from './failures.ts';

/** One question and who waits for its answers. */
export interface Exchange {
  name: string;
  input: unknown;
  /** Asked again, with the same input, when its connection was lost. */
  repeatable: boolean;
  onItem(item: unknown): void;
  onResult(output: unknown): void;
  onError(error: CallError): void;
}

interface Wire {
  send(frame: ClientFrame): void;
  restart(): void;
}

/** Owns the questions that wait for a connection or a place, and those that wait for answers. */
export class Exchanges {
  private readonly wire: Wire;
  private waiting: Exchange[] = [];
  /** `null` = cancelled here; its place is free when the core has said so. */
  private sent = new Map<number, Exchange | null>();
  private lastId = 0;
  private isOpen = false;
  private ending: CallError | undefined;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  start(exchange: Exchange): void {
    if (this.ending !== undefined) exchange.onError(this.ending);
    else if (isTooLong(exchange)) exchange.onError(tooLong(exchange.name));
    else {
      this.waiting.push(exchange);
      this.flush();
    }
  }

  /** Nobody waits any more. */
  cancel(exchange: Exchange): void {
    this.waiting = this.waiting.filter((one) => one !== exchange);
    const id = this.idOf(exchange);
    if (id === undefined) return;
    this.sent.set(id, null);
    this.wire.send({ type: 'cancel', id });
  }

  taken(exchange: Exchange, count: number): void {
    const id = this.idOf(exchange);
    if (id !== undefined) this.wire.send({ type: 'taken', id, count });
  }

  onOpen(): void {
    this.isOpen = true;
    this.lastId = 0;
    this.flush();
  }

  onFrame(frame: ServerFrame): void {
    if (frame.type === 'item') this.sent.get(frame.id)?.onItem(frame.item);
    if (frame.type === 'result') this.finish(frame.id)?.onResult(frame.output);
    if (frame.type !== 'error') return;
    // A frame of ours was not even read: nothing on this connection can be relied on.
    if (frame.id === null) this.wire.restart();
    else this.finish(frame.id)?.onError(errorOf(frame.error));
  }

  onLost(): void {
    this.isOpen = false;
    const lost = [...this.sent.values()].filter((exchange) => exchange !== null);
    this.sent = new Map();
    this.waiting = [...lost.filter(({ repeatable }) => repeatable), ...this.waiting];
    for (const exchange of lost) if (!exchange.repeatable) exchange.onError(connectionLost());
  }

  /** Ends all, and all that come. */
  end(error: CallError): void {
    this.ending = error;
    const all = [...this.sent.values(), ...this.waiting];
    this.sent = new Map();
    this.waiting = [];
    for (const exchange of all) exchange?.onError(error);
  }

  private flush(): void {
    while (this.isOpen && this.sent.size < MAX_OPEN_CALLS) {
      const exchange = this.waiting.shift();
      if (exchange === undefined) return;
      const { name, input } = exchange;
      this.lastId += 1;
      this.sent.set(this.lastId, exchange);
      this.wire.send({ type: 'call', id: this.lastId, name, input });
    }
  }

  private finish(id: number): Exchange | undefined {
    const exchange = this.sent.get(id);
    this.sent.delete(id);
    this.flush();
    return exchange ?? undefined;
  }

  private idOf(exchange: Exchange): number | undefined {
    for (const [id, one] of this.sent) if (one === exchange) return id;
    return undefined;
  }
}

function errorOf({ code, message, next }: ErrorFrame): CallError {
  return new CallError(code, message, next);
}

/** The frame around an input is short. */
function isTooLong({ input }: Exchange): boolean {
  return JSON.stringify(input).length > MAX_CLIENT_FRAME_CHARS - 1_000;
}
