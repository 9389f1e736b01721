/**
 * The bridge between a page and the main process: frames of the contract over one port, and what only
 * a shell can do. Exactly this is exposed; no event of Electron's ever reaches a page.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CHANNELS } from './channels.ts';

const frames = new Set<(frame: string) => void>();
const opened = new Map<string, () => void>();
const early: string[] = [];

const { port1: port, port2 } = new MessageChannel();
port.addEventListener('message', (event) => {
  const { data } = event as Event & { data: unknown };
  if (typeof data !== 'string') return;
  if (frames.size === 0) early.push(data);
  for (const listener of frames) listener(data);
  // The other side waits for this before it sends more.
  port.postMessage(1);
});
port.start();
ipcRenderer.postMessage(CHANNELS.connect, null, [port2]);
ipcRenderer.on(CHANNELS.noteOpened, (_event, tag: unknown) => {
  const open = opened.get(String(tag));
  opened.delete(String(tag));
  open?.();
});

contextBridge.exposeInMainWorld('vivarium', {
  send: (frame: string): void => port.postMessage(frame),
  subscribe(listener: (frame: string) => void): () => void {
    frames.add(listener);
    for (const frame of early.splice(0)) listener(frame);
    return () => void frames.delete(listener);
  },
  platform: {
    pickFolder: (title: string) =>
      ipcRenderer.invoke(CHANNELS.pick, { kind: 'folder', title }) as Promise<unknown>,
    pickFile: ({ title, extensions = [] }: { title: string; extensions?: string[] }) =>
      ipcRenderer.invoke(CHANNELS.pick, { kind: 'file', title, extensions }) as Promise<unknown>,
    saveFolder: (title: string) =>
      ipcRenderer.invoke(CHANNELS.pick, { kind: 'saveFolder', title }) as Promise<unknown>,
    pathOfFile: (file: File): string | null => webUtils.getPathForFile(file) || null,
    mayNotify: () => ipcRenderer.invoke(CHANNELS.notify, null) as Promise<unknown>,
    async notify(note: { title: string; body: string; tag: string; onOpen?: () => void }) {
      const { title, body, tag, onOpen } = note;
      if (onOpen !== undefined) opened.set(tag, onOpen);
      await ipcRenderer.invoke(CHANNELS.notify, { title, body, tag });
    },
    setBadge: (count: number): void => void ipcRenderer.invoke(CHANNELS.badge, count),
    onMenu(listener: (action: string) => void): () => void {
      const onAction = (_event: unknown, action: unknown): void => listener(String(action));
      ipcRenderer.on(CHANNELS.menu, onAction);
      return () => void ipcRenderer.off(CHANNELS.menu, onAction);
    },
    windowControls: {
      minimize: (): void => void ipcRenderer.invoke(CHANNELS.window, 'minimize'),
      toggleMaximize: (): void => void ipcRenderer.invoke(CHANNELS.window, 'toggleMaximize'),
      close: (): void => void ipcRenderer.invoke(CHANNELS.window, 'close'),
    },
  },
});
