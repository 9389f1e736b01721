/** A client and its connection in one process, and handlers to ask, for tests. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  call,
  serverFrameSchema,
  stream,
  type ClientFrame,
  type HandlerContext,
  type Handlers,
  type ServerFrame,
} from '../../contract/index.ts';
import { VivariumError } from '../../lib/index.ts';
import type { Connection } from './connection.ts';

export interface Wire {
  connection: Connection;
  /** What the server sent, in order. */
  frames: ServerFrame[];
  /** Frames handed over that the client has not read. */
  unread(): number;
  send(frame: ClientFrame): void;
  sendText(text: string): void;
  /** The client stops reading, or goes on. */
  setReading(reads: boolean): void;
  /** The connection breaks. */
  cut(): void;
  /** Why the server ended it; `null` when it did not. */
  closedBecause(): string | null;
}

export function createWire(): Wire {
  const frames: ServerFrame[] = [];
  const held: (() => void)[] = [];
  let reads = true;
  let closed: string | null = null;
  let onMessage: (text: string) => void = () => undefined;
  let onClose = (): void => undefined;
  const release = (): void => {
    for (const arrive of held.splice(0)) arrive();
  };
  const end = (reason: string | null): void => {
    closed ??= reason;
    reads = true;
    release();
    onClose();
  };
  return {
    connection: {
      send(text) {
        return new Promise((resolve) => {
          const arrive = (): void => {
            frames.push(serverFrameSchema.parse(JSON.parse(text)));
            resolve();
          };
          if (reads) arrive();
          else held.push(arrive);
        });
      },
      onMessage: (listener) => void (onMessage = listener),
      onClose: (listener) => void (onClose = listener),
      close: end,
    },
    frames,
    unread: () => held.length,
    send: (frame) => onMessage(JSON.stringify(frame)),
    sendText: (text) => onMessage(text),
    setReading(now) {
      reads = now;
      if (now) release();
    },
    cut: () => end(null),
    closedBecause: () => closed,
  };
}

export const TEST_CONTRACT = {
  add: call(z.object({ a: z.number(), b: z.number().default(1) }), z.object({ sum: z.number() })),
  wait: call(z.object({}), z.object({})),
  refuse: call(z.object({}), z.object({})),
  break: call(z.object({}), z.object({})),
  lie: call(z.object({}), z.object({ sum: z.number() })),
  unwritable: call(z.object({}), z.object({ value: z.unknown() })),
  count: stream(
    z.object({ to: z.number().int() }),
    z.object({ n: z.number() }),
    z.object({ last: z.number() }),
  ),
  lying: stream(z.object({}), z.object({ n: z.number() }), z.object({})),
};

export const SECRET = 'a-secret-of-the-core';

export interface TestHandlers {
  handlers: Partial<Handlers>;
  /** Numbers that `count` was asked for. */
  pulled: number[];
  /** Streams whose `finally` ran. */
  ended: string[];
  /** Ends all `wait`s; they tell how their signals were. */
  finishWaits(): void;
  waits: AbortSignal[];
}

export function createTestHandlers(): TestHandlers {
  const pulled: number[] = [];
  const ended: string[] = [];
  const waits: AbortSignal[] = [];
  const finishes: (() => void)[] = [];
  const handlers = {
    add: async ({ a, b }: { a: number; b: number }) => ({ sum: a + b, secret: SECRET }),
    wait: (_: object, { signal }: HandlerContext) => {
      waits.push(signal);
      return new Promise((resolve) => finishes.push(() => resolve({})));
    },
    refuse: async () => {
      throw new VivariumError('model_not_found', 'no model \u202Eevil', 'Import one.');
    },
    break: async () => {
      throw new TypeError('boom');
    },
    lie: async () => ({ sum: SECRET }),
    unwritable: async () => ({ value: 1n }),
    async *count({ to }: { to: number }, { signal }: HandlerContext) {
      try {
        for (let n = 1; n <= to && !signal.aborted; n += 1) {
          pulled.push(n);
          await setImmediate();
          yield { n };
        }
        return { last: to };
      } finally {
        ended.push('count');
      }
    },
    async *lying() {
      yield { n: SECRET };
      return {};
    },
  };
  return {
    // The channel checks at run time; its types are those of the app's own contract.
    handlers: handlers as unknown as Partial<Handlers>,
    ...{ pulled, ended, waits },
    finishWaits: () => {
      for (const finish of finishes.splice(0)) finish();
    },
  };
}
