import { describe, expect, it, vi } from 'vitest';
import { MAX_OPEN_CALLS, STREAM_WINDOW } from '../../contract/index.ts';
import { serveChannel, type ChannelOptions } from './serve-channel.ts';
import { createTestHandlers, createWire, SECRET, TEST_CONTRACT } from './testing.ts';

function open(options: Partial<ChannelOptions> = {}) {
  const wire = createWire();
  const core = createTestHandlers();
  const faults: [string, unknown][] = [];
  const channel = serveChannel({
    contract: TEST_CONTRACT,
    handlers: core.handlers,
    connection: wire.connection,
    onFault: (name, thrown) => faults.push([name, thrown]),
    ...options,
  });
  const call = (id: number, name: string, input: unknown = {}): void =>
    wire.send({ type: 'call', id, name, input });
  return { wire, core, faults, channel, call };
}

const errorOf = (id: number | null, code: string) =>
  expect.objectContaining({ type: 'error', id, error: expect.objectContaining({ code }) });

describe('calls', () => {
  it('answers with the parsed input and with what the contract names, nothing more', async () => {
    const { wire, call } = open();
    call(1, 'add', { a: 2, ignored: true });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(1));
    expect(wire.frames).toEqual([{ type: 'result', id: 1, output: { sum: 3 } }]);
  });

  it('answers a ping', () => {
    const { wire } = open();
    wire.send({ type: 'ping' });
    expect(wire.frames).toEqual([{ type: 'pong' }]);
  });

  it.each([
    ['nothing', 'there is no call named nothing'],
    ['toString', 'there is no call named toString'],
    ['__proto__', 'there is no call named __proto__'],
    ['constructor', 'there is no call named constructor'],
  ])('refuses the name %s', (name, message) => {
    const { wire, call } = open();
    call(1, name);
    expect(wire.frames).toEqual([
      {
        type: 'error',
        id: 1,
        error: {
          code: 'bad_request',
          message,
          next: 'Reload the page: it may be older than the app.',
        },
      },
    ]);
  });

  it('refuses an input that the contract does not allow, and says where', () => {
    const { wire, call } = open();
    call(1, 'add', { a: 'two' });
    expect(wire.frames).toEqual([errorOf(1, 'bad_request')]);
    expect(JSON.stringify(wire.frames)).toContain('the input of add is not valid: a: ');
  });

  it('refuses an id that is not greater than those before', async () => {
    const { wire, call } = open();
    call(5, 'add', { a: 1 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(1));
    call(5, 'add', { a: 1 });
    call(4, 'add', { a: 1 });
    expect(wire.frames.slice(1)).toEqual([errorOf(5, 'bad_request'), errorOf(4, 'bad_request')]);
  });

  it('keeps at most so many calls open, and takes more when one is done', async () => {
    const { wire, core, channel, call } = open();
    for (let id = 1; id <= MAX_OPEN_CALLS + 1; id += 1) call(id, 'wait');
    expect(wire.frames).toEqual([errorOf(MAX_OPEN_CALLS + 1, 'bad_request')]);
    expect(channel.open).toBe(MAX_OPEN_CALLS);
    core.finishWaits();
    await vi.waitFor(() => expect(channel.open).toBe(0));
    call(MAX_OPEN_CALLS + 2, 'add', { a: 1 });
    await vi.waitFor(() => expect(wire.frames.at(-1)).toMatchObject({ id: MAX_OPEN_CALLS + 2 }));
  });
});

describe('failures', () => {
  it('passes on code, cause and next step of a foreseen one, hidden characters visible', async () => {
    const { wire, faults, call } = open();
    call(1, 'refuse');
    await vi.waitFor(() => expect(wire.frames).toHaveLength(1));
    expect(wire.frames).toEqual([
      {
        type: 'error',
        id: 1,
        error: {
          code: 'model_not_found',
          message: String.raw`no model \u{202e}evil`,
          next: 'Import one.',
        },
      },
    ]);
    expect(faults).toEqual([]);
  });

  it('tells one of ours as internal and writes it to the log', async () => {
    const { wire, faults, call } = open();
    call(1, 'break');
    await vi.waitFor(() => expect(wire.frames).toHaveLength(1));
    expect(wire.frames).toMatchObject([
      { id: 1, error: { code: 'internal', message: 'boom', next: /VIVARIUM_DEBUG=1/ } },
    ]);
    expect(faults).toEqual([['break', new TypeError('boom')]]);
  });

  it.each(['lie', 'unwritable', 'lying'])(
    'tells a wrong answer of %s as internal, without what was in it',
    async (name) => {
      const { wire, faults, call } = open();
      call(1, name);
      await vi.waitFor(() => expect(wire.frames).toHaveLength(1));
      expect(wire.frames).toMatchObject([
        { id: 1, error: { code: 'internal', message: `the answer to ${name} is not valid` } },
      ]);
      expect(faults).toHaveLength(1);
      expect(JSON.stringify(wire.frames) + String(faults[0]?.[1])).not.toContain(SECRET);
    },
  );
});

describe('streams', () => {
  it('sends items in order, then the output', async () => {
    const { wire, core, call } = open();
    call(1, 'count', { to: 3 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(4));
    expect(wire.frames).toEqual([
      { type: 'item', id: 1, item: { n: 1 } },
      { type: 'item', id: 1, item: { n: 2 } },
      { type: 'item', id: 1, item: { n: 3 } },
      { type: 'result', id: 1, output: { last: 3 } },
    ]);
    expect(core.ended).toEqual(['count']);
  });

  it('asks for no more items than the client has room for', async () => {
    const { wire, core, call } = open();
    call(1, 'count', { to: 10_000 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(STREAM_WINDOW));
    expect(core.pulled).toHaveLength(STREAM_WINDOW);
    wire.send({ type: 'taken', id: 1, count: 10 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(STREAM_WINDOW + 10));
    // Room is never more than the window, whatever a client says that it took.
    wire.send({ type: 'taken', id: 1, count: 1_000_000 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(2 * STREAM_WINDOW + 10));
    expect(core.pulled).toHaveLength(2 * STREAM_WINDOW + 10);
  });

  it('holds one item for a client that does not read', async () => {
    const { wire, core, call } = open();
    wire.setReading(false);
    call(1, 'count', { to: 10_000 });
    await vi.waitFor(() => expect(wire.unread()).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(core.pulled).toEqual([1]);
    wire.setReading(true);
    await vi.waitFor(() => expect(wire.frames.length).toBe(STREAM_WINDOW));
  });

  it('cuts off a client that asks and never reads', () => {
    const { wire } = open();
    wire.setReading(false);
    for (let n = 0; n < 1_100 && wire.closedBecause() === null; n += 1) wire.sendText('{');
    expect(wire.closedBecause()).toBe('too many answers wait to be read');
  });
});

describe('endings', () => {
  it('answers a cancel at once and sends nothing after it', async () => {
    const { wire, core, channel, call } = open();
    call(1, 'count', { to: 10_000 });
    await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(3));
    wire.send({ type: 'cancel', id: 1 });
    const until = wire.frames.length;
    expect(wire.frames.at(-1)).toEqual(errorOf(1, 'cancelled'));
    await vi.waitFor(() => expect(channel.open).toBe(0));
    expect(wire.frames).toHaveLength(until);
    expect(core.ended).toEqual(['count']);
  });

  it('a handler that goes on after its cancel keeps its place', async () => {
    const { wire, core, channel, call } = open();
    call(1, 'wait');
    wire.send({ type: 'cancel', id: 1 });
    wire.send({ type: 'cancel', id: 1 });
    expect(wire.frames).toEqual([errorOf(1, 'cancelled')]);
    expect(core.waits[0]?.aborted).toBe(true);
    expect(channel.open).toBe(1);
    core.finishWaits();
    await vi.waitFor(() => expect(channel.open).toBe(0));
    expect(wire.frames).toHaveLength(1);
  });

  it('ignores cancel and taken for what is over', () => {
    const { wire } = open();
    wire.send({ type: 'cancel', id: 7 });
    wire.send({ type: 'taken', id: 7, count: 1 });
    expect(wire.frames).toEqual([]);
  });

  it('ends streams with the connection, and lets calls finish', async () => {
    const { wire, core, channel, call } = open();
    call(1, 'count', { to: 10_000 });
    call(2, 'wait');
    await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(3));
    wire.cut();
    await vi.waitFor(() => expect(core.ended).toEqual(['count']));
    expect(core.waits[0]?.aborted).toBe(false);
    core.finishWaits();
    await vi.waitFor(() => expect(channel.open).toBe(0));
  });

  it('ends a stream that waits for room', async () => {
    const { wire, core, call } = open();
    call(1, 'count', { to: 10_000 });
    await vi.waitFor(() => expect(wire.frames).toHaveLength(STREAM_WINDOW));
    wire.cut();
    await vi.waitFor(() => expect(core.ended).toEqual(['count']));
  });

  it('lets a stream that is work go on to its end without a client', async () => {
    const { wire, core, call } = open({ outlives: () => true });
    call(1, 'count', { to: 2 * STREAM_WINDOW });
    await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(3));
    wire.cut();
    await vi.waitFor(() => expect(core.pulled).toHaveLength(2 * STREAM_WINDOW));
    await vi.waitFor(() => expect(core.ended).toEqual(['count']));
  });
});
