import type { IpcMainInvokeEvent, OpenDialogOptions } from 'electron';
import { z } from 'zod';
import { CHANNELS } from './channels.ts';
import type { BrowserWindow, ElectronModule } from './electron-module.ts';
import type { Grants } from './grants.ts';
import type { Notes } from './notes.ts';
import { senderFault } from './trusted-sender.ts';

export interface PlatformDoor {
  electron: Pick<ElectronModule, 'app' | 'dialog' | 'ipcMain'>;
  known: ReadonlySet<number>;
  notes: Notes;
  /** Told each folder that was picked for writing. */
  grants: Pick<Grants, 'give'>;
  windowOf: (contents: number) => BrowserWindow | undefined;
  tell: (line: string) => void;
}

const text = z.string().max(500);
const pickSchema = z.object({
  kind: z.enum(['folder', 'file', 'saveFolder']),
  title: text,
  extensions: z.array(z.string().regex(/^[A-Za-z0-9]{1,16}$/)).default([]),
});
const noteSchema = z.object({ title: text, body: text, tag: text }).nullable();
const badgeSchema = z.number().int().min(0).max(9_999);
const windowSchema = z.enum(['minimize', 'toggleMaximize', 'close']);

/** Answers what pages ask of the shell. Whoever may not ask is told so, and never left waiting. */
export function answerPlatform(door: PlatformDoor): void {
  const { electron, notes } = door;
  const answer = <T>(
    channel: string,
    schema: z.ZodType<T>,
    act: (input: T, window: BrowserWindow) => unknown,
  ): void => {
    electron.ipcMain.handle(channel, (event: IpcMainInvokeEvent, input: unknown) => {
      const window = door.windowOf(event.sender.id);
      const fault = senderFault(event, door.known);
      if (fault !== null || window === undefined) {
        door.tell(`${channel} refused: ${fault ?? 'its window is gone'}`);
        throw new Error(`refused: ${fault ?? 'its window is gone'}`);
      }
      return act(schema.parse(input), window);
    });
  };
  const asking = new WeakSet<BrowserWindow>();
  answer(CHANNELS.pick, pickSchema, async (wish, window) => {
    // One dialog at a time: each answer is what a person chose for one question.
    if (asking.has(window)) throw new Error('refused: a dialog is open already');
    asking.add(window);
    try {
      const { canceled, filePaths } = await electron.dialog.showOpenDialog(
        window,
        dialogOptions(wish),
      );
      const path = canceled ? undefined : filePaths[0];
      if (path !== undefined && wish.kind === 'folder') electron.app.addRecentDocument(path);
      if (path !== undefined && wish.kind === 'saveFolder') door.grants.give(path);
      return path ?? null;
    } finally {
      asking.delete(window);
    }
  });
  answer(CHANNELS.notify, noteSchema, (note) => {
    if (note !== null) notes.show(note);
    return notes.canShow();
  });
  answer(CHANNELS.badge, badgeSchema, (count) => electron.app.setBadgeCount(count));
  answer(CHANNELS.window, windowSchema, (wish, window) => {
    if (wish === 'minimize') window.minimize();
    else if (wish === 'close') window.close();
    else if (window.isMaximized()) window.unmaximize();
    else window.maximize();
  });
}

function dialogOptions({ kind, title, extensions }: z.infer<typeof pickSchema>): OpenDialogOptions {
  switch (kind) {
    case 'folder':
      return { title, properties: ['openDirectory'] };
    case 'saveFolder':
      return { title, properties: ['openDirectory', 'createDirectory', 'promptToCreate'] };
    case 'file':
      return {
        title,
        properties: ['openFile'],
        ...(extensions.length > 0 && { filters: [{ name: title, extensions }] }),
      };
  }
}
