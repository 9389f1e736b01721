/** What a page has open ends with the page, however it goes. */
import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageDoors } from './hand-over.ts';
import { FakeContents } from './testing.ts';

class Port extends EventEmitter {
  readonly posted: string[] = [];
  closed = false;
  start(): void {}
  postMessage(message: unknown): void {
    this.posted.push(String(message));
    // The page takes what it is sent.
    queueMicrotask(() => this.emit('message', { data: 1 }));
  }
  close(): void {
    this.closed = true;
  }
}

describe('what a page has open', () => {
  const senderFrame = { parent: null, url: 'app://ui/' };
  let streams: Array<'open' | 'ended'>;
  let contents: FakeContents;
  let doors: ReturnType<typeof createPageDoors>;

  beforeEach(() => {
    streams = [];
    contents = new FakeContents(1);
    doors = createPageDoors({
      known: new Set([1]),
      tell: () => undefined,
      onFault: (name, thrown) => {
        throw new Error(`${name}: ${String(thrown)}`);
      },
      handlers: {
        async *'models/watch'(_input, { signal }) {
          const at = streams.push('open') - 1;
          await once(signal, 'abort');
          streams[at] = 'ended';
          yield [];
          return {};
        },
      },
    });
    doors.follow(contents as never);
  });

  const open = async (): Promise<Port> => {
    const port = new Port();
    const before = streams.length;
    doors.accept({ sender: contents, senderFrame, ports: [port] });
    port.emit('message', {
      data: JSON.stringify({ type: 'call', id: 1, name: 'models/watch', input: {} }),
    });
    await vi.waitFor(() => expect(streams.length).toBe(before + 1));
    return port;
  };

  it.each([
    ['its port is closed', (port: Port) => port.emit('close')],
    ['its window is closed', () => contents.emit('destroyed')],
    ['its process has crashed', () => contents.emit('render-process-gone', {}, {})],
  ])('ends when %s', async (_what, go) => {
    const port = await open();
    expect(streams).toEqual(['open']);
    go(port);
    await vi.waitFor(() => expect(streams).toEqual(['ended']));
    const told = port.posted.length;
    port.emit('message', { data: JSON.stringify({ type: 'ping' }) });
    expect(port.posted.length).toBe(told);
  });

  it('ends when it is loaded again, a hundred times, and the last one works', async () => {
    for (let loads = 0; loads < 100; loads += 1) await open();
    await vi.waitFor(() => expect(streams.filter((state) => state === 'open')).toEqual(['open']));
    expect(streams.at(-1)).toBe('open');
    expect(contents.listenerCount('destroyed')).toBe(1);
    contents.emit('destroyed');
    await vi.waitFor(() => expect(streams).not.toContain('open'));
  });

  it('a page that is closed twice, or has nothing open, is no fault', () => {
    contents.emit('render-process-gone', {}, {});
    contents.emit('destroyed');
    expect(streams).toEqual([]);
  });
});
