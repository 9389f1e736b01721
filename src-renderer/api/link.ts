import {
  serverFrameSchema,
  type ClientFrame,
  type ServerFrame,
} from '../../src-main/contract/index.ts';
import type { Connect, Transport } from './transport.ts';
import type { ConnectionState } from './types.ts';

/** Waits before the tries to connect again; the last one stays. */
const BACK_OFF_MS = [100, 250, 500, 1_000, 2_000, 5_000];

/** An open connection is asked for a sign of life; one that gives none until the next is dead. */
const PING_EVERY_MS = 20_000;

export interface LinkEvents {
  onOpen(): void;
  onFrame(frame: ServerFrame): void;
  onLost(): void;
  onRefused(): void;
}

/** Owns one connection at a time, opened again after each loss with growing waits. */
export class Link {
  private readonly connect: Connect;
  private readonly events: LinkEvents;
  private readonly listeners = new Set<() => void>();
  private readonly pulse: ReturnType<typeof setInterval>;
  private current: ConnectionState = 'connecting';
  private transport: Transport | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private ended = false;
  private awaitsLife = false;

  constructor(connect: Connect, events: LinkEvents) {
    this.connect = connect;
    this.events = events;
    this.pulse = setInterval(() => this.ping(), PING_EVERY_MS);
    this.open();
  }

  state(): ConnectionState {
    return this.current;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  send(frame: ClientFrame): void {
    this.transport?.send(JSON.stringify(frame));
  }

  /** Gives the connection up and opens another. */
  restart(): void {
    this.transport?.close();
  }

  close(): void {
    this.ended = true;
    clearInterval(this.pulse);
    clearTimeout(this.retry);
    this.transport?.close();
  }

  private open(): void {
    this.transport = this.connect({
      onOpen: () => {
        this.failures = 0;
        this.awaitsLife = false;
        this.become('open');
        this.events.onOpen();
      },
      onFrame: (text) => {
        this.awaitsLife = false;
        const frame = readFrame(text);
        // One that speaks otherwise is of no use: what waits for it is told.
        if (frame === undefined) this.restart();
        else this.events.onFrame(frame);
      },
      onClose: (refused) => this.lose(refused),
    });
  }

  private lose(refused: boolean): void {
    this.transport = undefined;
    if (this.ended) return;
    if (refused) {
      clearInterval(this.pulse);
      this.become('refused');
      this.events.onRefused();
      return;
    }
    if (this.current === 'open') this.become('lost');
    this.events.onLost();
    const wait = BACK_OFF_MS[Math.min(this.failures, BACK_OFF_MS.length - 1)] ?? 0;
    this.failures += 1;
    // Pages that lost the same core do not all come back at the same moment.
    this.retry = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  private ping(): void {
    if (this.current !== 'open') return;
    if (this.awaitsLife) {
      this.restart();
      return;
    }
    this.awaitsLife = true;
    this.send({ type: 'ping' });
  }

  private become(next: ConnectionState): void {
    if (this.current === next) return;
    this.current = next;
    for (const listener of this.listeners) listener();
  }
}

function readFrame(text: string): ServerFrame | undefined {
  try {
    return serverFrameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
