import {
  MAX_OPEN_CALLS,
  type CallShape,
  type ClientFrame,
  type ErrorFrame,
  type Handlers,
  type ServerFrame,
  type StreamShape,
} from '../../contract/index.ts';
import type { Connection } from './connection.ts';
import { badRequest, cancelled, errorFrame, isFault } from './error-frame.ts';
import { openCall, runHandler, type AnyHandler, type OpenCall } from './open-call.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { outlivesConnection } from './outlives.ts';
import { firstIssue, readFrame } from './read-frame.ts';

export interface ChannelOptions {
  contract: Readonly<Record<string, CallShape | StreamShape>>;
  /** One that is missing is answered as a name that does not exist. */
  handlers: Partial<Handlers>;
  connection: Connection;
  /** Whether a call goes on without its connection; default: see {@link outlivesConnection}. */
  outlives?: (name: string, kind: 'call' | 'stream') => boolean;
  /** Told each fault of ours, for the log. */
  onFault?: (name: string, thrown: unknown) => void;
}

export interface Channel {
  /** Handlers that have not ended yet. */
  readonly open: number;
}

/**
 * Answers one client by the contract, the same over every door. Each frame and input is checked, and
 * refused with `bad_request` where it is wrong; each item and output is checked too. Memory is
 * bounded: by calls that are open, by items on their way (one per stream), and by answers unread.
 */
export function serveChannel(options: ChannelOptions): Channel {
  const { connection, outlives = outlivesConnection } = options;
  const state: State = {
    options,
    open: new Map(),
    outbox: createOutbox(connection),
    lastId: 0,
    closed: false,
  };
  connection.onMessage((text) => {
    const read = readFrame(text);
    if (read.ok) take(state, read.frame);
    else refuse(state, read.id, badRequest(read.message));
  });
  connection.onClose(() => {
    state.closed = true;
    for (const call of state.open.values()) {
      if (outlives(call.name, call.shape.kind)) call.window.open();
      else call.controller.abort(new Error('the connection is gone'));
    }
  });
  return {
    get open() {
      return state.open.size;
    },
  };
}

interface State {
  options: ChannelOptions;
  open: Map<number, OpenCall>;
  outbox: Outbox;
  lastId: number;
  closed: boolean;
}

function take(state: State, frame: ClientFrame): void {
  switch (frame.type) {
    case 'ping':
      void state.outbox.send({ type: 'pong' });
      return;
    // What is over may still be cancelled or taken from by frames that were on their way.
    case 'taken':
      state.open.get(frame.id)?.window.give(frame.count);
      return;
    case 'cancel':
      cancel(state, frame.id);
      return;
    case 'call':
      start(state, frame);
  }
}

function cancel(state: State, id: number): void {
  const call = state.open.get(id);
  if (call === undefined || call.answered) return;
  call.answered = true;
  refuse(state, id, cancelled());
  call.controller.abort(new Error('cancelled by the client'));
}

function start(state: State, frame: Extract<ClientFrame, { type: 'call' }>): void {
  const { id, name } = frame;
  const accepted = accept(state, frame);
  if (typeof accepted === 'string') {
    refuse(state, id, badRequest(accepted));
    return;
  }
  state.lastId = id;
  const call = openCall({ id, name, ...accepted });
  state.open.set(id, call);
  void answer(state, call).finally(() => state.open.delete(id));
}

/** What to run, or why not. */
function accept(
  { options: { contract, handlers }, open, lastId }: State,
  { id, name, input }: Extract<ClientFrame, { type: 'call' }>,
): Pick<OpenCall, 'shape' | 'handler' | 'input'> | string {
  if (id <= lastId) return `call ${id} comes after call ${lastId}`;
  if (open.size >= MAX_OPEN_CALLS) return `more than ${MAX_OPEN_CALLS} calls are open`;
  const shape = Object.hasOwn(contract, name) ? contract[name] : undefined;
  const handler = Object.hasOwn(handlers, name)
    ? // The contract's schemas stand for the types that are given up here.
      (handlers[name as keyof Handlers] as AnyHandler | undefined)
    : undefined;
  if (shape === undefined || handler === undefined) {
    return `there is no call named ${name.slice(0, 100)}`;
  }
  const parsed = shape.input.safeParse(input);
  if (!parsed.success) return `the input of ${name} is not valid: ${firstIssue(parsed.error)}`;
  return { shape, handler, input: parsed.data };
}

async function answer(state: State, call: OpenCall): Promise<void> {
  const { id, name } = call;
  try {
    const output = await runHandler(call, (item) =>
      call.answered || state.closed ? Promise.resolve() : send(state, { type: 'item', id, item }),
    );
    await last(state, call, { type: 'result', id, output });
  } catch (thrown) {
    // What fails because it was told to end is no news.
    if (call.controller.signal.aborted) return;
    if (isFault(thrown)) state.options.onFault?.(name, thrown);
    await last(state, call, { type: 'error', id, error: errorFrame(thrown, name) });
  }
}

async function last(state: State, call: OpenCall, frame: ServerFrame): Promise<void> {
  if (call.answered || state.closed) return;
  const sending = send(state, frame);
  // Only now: a frame that cannot be written has thrown, and an error takes its place.
  call.answered = true;
  await sending;
}

function send({ outbox }: State, frame: ServerFrame): Promise<void> {
  return outbox.send(frame);
}

function refuse(state: State, id: number | null, error: ErrorFrame): void {
  if (!state.closed) void state.outbox.send({ type: 'error', id, error });
}
