import { writeFile } from 'node:fs/promises';
import type { ServerStatus } from '../../contract/index.ts';
import { messageOf } from '../../lib/index.ts';
import { createAfterGone } from './after-gone.ts';
import type { AppLog } from './app-log.ts';
import type { BrowserWindow, ElectronModule } from './electron-module.ts';
import { lostServers } from './lost-servers.ts';
import type { Notes } from './notes.ts';
import { shellText } from './text.ts';

/** For a driver to come back, and its servers to be missed. */
const SETTLED_MS = 10_000;

export interface HealthDoor {
  electron: Pick<ElectronModule, 'app' | 'dialog' | 'powerMonitor'>;
  log: AppLog;
  notes: Notes;
  statuses: () => Promise<ServerStatus[]>;
}

/** Follows one window: a page whose process ends is loaded again, one that hangs is asked about. */
export function watchWindow(door: HealthDoor, window: BrowserWindow): void {
  const decide = createAfterGone();
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    door.log.add(`page gone: ${reason}, exit code ${exitCode}`);
    const next = decide(reason, Date.now());
    if (next === 'reload') window.webContents.reload();
    if (next === 'ask') void askAfterGone(door, window, reason);
  });
  window.on('unresponsive', () => void askWhenStuck(door, window));
}

/** Follows Electron's other processes and the machine's sleep. */
export function watchMachine(door: HealthDoor): void {
  const { app, powerMonitor } = door.electron;
  // Chromium starts its own again; the end of an engine is told by its session.
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    door.log.add(`${name ?? type} gone: ${reason}, exit code ${exitCode}`);
  });
  let before: Promise<ServerStatus[]> = Promise.resolve([]);
  powerMonitor.on('suspend', () => {
    door.log.add('the machine sleeps');
    before = door.statuses().catch(() => []);
  });
  powerMonitor.on('resume', () => {
    door.log.add('the machine is awake');
    const seen = before;
    setTimeout(() => void tellLost(door, seen), SETTLED_MS).unref();
  });
}

/** Writes the log where the person wants it. */
export async function saveLog({
  electron,
  log,
}: Pick<HealthDoor, 'electron' | 'log'>): Promise<void> {
  const { canceled, filePath } = await electron.dialog.showSaveDialog({
    title: shellText.saveLog,
    defaultPath: shellText.logName,
  });
  if (canceled) return;
  try {
    await writeFile(filePath, log.text());
  } catch (fault) {
    electron.dialog.showErrorBox(shellText.saveLog, messageOf(fault));
  }
}

async function tellLost(door: HealthDoor, before: Promise<ServerStatus[]>): Promise<void> {
  const after = await door.statuses().catch(() => null);
  if (after === null) return;
  const lost = lostServers(await before, after);
  if (lost.length === 0) return;
  door.log.add(`servers lost while the machine slept: ${lost.join(', ')}`);
  const { title, body } = shellText.lost;
  door.notes.show({ title: title(lost.length), body: body(lost), tag: 'servers-lost' });
}

async function askAfterGone(
  door: HealthDoor,
  window: BrowserWindow,
  reason: string,
): Promise<void> {
  const words = shellText.gone;
  const { response } = await door.electron.dialog.showMessageBox({
    type: 'error',
    message: words.message,
    detail: words.detail(reason),
    buttons: [words.reload, words.save, words.quit],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 2) return door.electron.app.quit();
  if (response === 1) await saveLog(door);
  if (!window.isDestroyed()) window.webContents.reload();
}

async function askWhenStuck(door: HealthDoor, window: BrowserWindow): Promise<void> {
  const words = shellText.stuck;
  door.log.add('the page does not answer');
  const { response } = await door.electron.dialog.showMessageBox(window, {
    type: 'warning',
    message: words.message,
    detail: words.detail,
    buttons: [words.wait, words.reload],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1 && !window.isDestroyed()) {
    window.webContents.forcefullyCrashRenderer();
    window.webContents.reload();
  }
}
