import { once, type EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { beforeAll, describe, expect, it, vi } from 'vitest';

interface Bridge {
  send(frame: string): void;
  subscribe(listener: (frame: string) => void): () => void;
  platform: Record<string, unknown> & {
    onMenu(listener: (...words: unknown[]) => void): () => void;
  };
}

const shell = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  posted: [] as unknown[][],
  invoked: [] as unknown[][],
  ipc: undefined as EventEmitter | undefined,
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  shell.ipc = new Emitter();
  return {
    contextBridge: {
      exposeInMainWorld: (name: string, value: unknown) => shell.exposed.set(name, value),
    },
    ipcRenderer: Object.assign(shell.ipc, {
      postMessage: (...words: unknown[]) => shell.posted.push(words),
      invoke: async (...words: unknown[]) => void shell.invoked.push(words),
    }),
    webUtils: { getPathForFile: () => '' },
  };
});

describe('20 the bridge to the page', () => {
  let bridge: Bridge;
  beforeAll(async () => {
    await import('./preload.ts');
    bridge = shell.exposed.get('vivarium') as Bridge;
  });

  it('is exactly this', () => {
    expect([...shell.exposed.keys()]).toEqual(['vivarium']);
    expect(Object.keys(bridge)).toEqual(['send', 'subscribe', 'platform']);
    expect(Object.keys(bridge.platform)).toEqual([
      ...['pickFolder', 'pickFile', 'saveFolder', 'pathOfFile', 'mayNotify', 'notify'],
      ...['setBadge', 'onMenu', 'windowControls'],
    ]);
  });

  it('carries frames both ways and says what was taken', async () => {
    const [channel, , [port]] = shell.posted[0] as [string, null, [unknown]];
    expect(channel).toBe('vivarium:connect');
    const main = port as MessagePort;
    const seen: string[] = [];
    bridge.subscribe((frame) => seen.push(frame));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
    main.postMessage('{"type":"pong"}');
    expect(await once(main, 'message')).toEqual([1]);
    expect(seen).toEqual(['{"type":"pong"}']);
    bridge.send('{"type":"ping"}');
    expect(await once(main, 'message')).toEqual(['{"type":"ping"}']);
    main.close();
  });

  it('opens what a note is about when it is clicked, once', async () => {
    const opened: string[] = [];
    const { notify } = bridge.platform as unknown as {
      notify(note: object): Promise<void>;
    };
    const note = { title: 'Fixed', body: 'ages', tag: 's1' };
    await notify({ ...note, onOpen: () => opened.push('s1') });
    expect(shell.invoked.at(-1)).toEqual(['vivarium:notify', note]);
    for (const tag of ['s2', 's1', 's1']) shell.ipc?.emit('vivarium:note-opened', {}, tag);
    expect(opened).toEqual(['s1']);
  });

  it('hands on no event of Electron', () => {
    const told: unknown[][] = [];
    const end = bridge.platform.onMenu((...words) => told.push(words));
    shell.ipc?.emit('vivarium:menu', { sender: 'secret' }, 'fix.new');
    end();
    shell.ipc?.emit('vivarium:menu', { sender: 'secret' }, 'fix.new');
    expect(told).toEqual([['fix.new']]);
  });
});
