import path from 'node:path';
import { inspect } from 'node:util';
import type { Core } from '../../core/index.ts';
import type { Handlers } from '../../contract/index.ts';
import { nodeProgram, ownScript } from '../../lib/index.ts';
import { rendererFolder } from '../assets/index.ts';
import { guardWrites } from '../rpc/index.ts';
import { answerPlatform } from './answer-platform.ts';
import { answerAppRequest } from './app-protocol.ts';
import { CHANNELS } from './channels.ts';
import { folderInWords, newFixHash } from './folder-in-words.ts';
import { createGrants } from './grants.ts';
import { followApp } from './follow-app.ts';
import { guardSession } from './guard-session.ts';
import { createPageDoors, type PageDoors } from './hand-over.ts';
import { menuTemplate } from './menu-template.ts';
import { createNotes, type Notes } from './notes.ts';
import type { Running } from './electron-module.ts';
import { shellText } from './text.ts';
import { utilityChild } from './utility-child.ts';
import { saveLog, watchMachine, watchWindow, type HealthDoor } from './watch-health.ts';
import { createWindows, type Windows } from './windows.ts';

/** Everything after Electron is ready: the core, the door of the pages, the first window. */
export async function runApp(running: Running): Promise<void> {
  const { electron, env, home, log } = running;
  const { app } = electron;
  const devTools = !app.isPackaged;
  guardSession(electron.session.defaultSession, { devTools, tell: log.add });
  const renderer = rendererFolder();
  electron.protocol.handle('app', (request) => answerAppRequest(renderer, request));
  const { createCore } = await import('../../core/index.ts');
  const core = createCore({
    home,
    env,
    // Servers that are kept outlive the app; see docs/packaging.md.
    keeperCommand: [nodeProgram(), ownScript('cli'), 'models', 'keep'],
    startChild: utilityChild(electron.utilityProcess),
  });
  const notes = createNotes(electron.Notification, (tag) => {
    windows.focus().webContents.send(CHANNELS.noteOpened, tag);
  });
  const health: HealthDoor = { electron, log, notes, statuses: () => core.models.statuses() };
  const windows: Windows = createWindows({
    electron,
    core,
    // Read by Electron itself, so that it may lie in the archive.
    preload: path.join(app.getAppPath(), 'out', 'preload', 'preload.cjs'),
    devTools,
    onOpened(window) {
      watchWindow(health, window);
      doors.follow(window.webContents);
    },
  });
  await windows.load();
  const doors = openDoors(running, core, windows, notes);
  setMenu(running, windows, () => void saveLog(health));
  watchMachine(health);
  followApp(running, core, windows);
  const folder = app.isPackaged ? folderInWords(running.argv, process.cwd()) : null;
  windows.show(folder === null ? '' : newFixHash(folder));
}

function openDoors(
  { electron, log }: Running,
  core: Core,
  windows: Windows,
  notes: Notes,
): PageDoors {
  const grants = createGrants();
  const handlers: Partial<Handlers> = {
    ...guardWrites(core.handlers, grants.take),
    'settings/set': async (changes, context) => {
      const settings = await core.handlers['settings/set'](changes, context);
      windows.use(settings);
      return settings;
    },
  };
  const doors = createPageDoors({
    handlers,
    known: windows.known,
    tell: log.add,
    onFault: (name, thrown) => log.add(`fault: ${name}: ${inspect(thrown)}`),
  });
  electron.ipcMain.on(CHANNELS.connect, doors.accept);
  answerPlatform({
    ...{ electron, notes, grants },
    known: windows.known,
    windowOf: windows.of,
    tell: log.add,
  });
  return doors;
}

function setMenu({ electron, platform }: Running, windows: Windows, save: () => void): void {
  const { app, dialog, Menu } = electron;
  const openRepository = async (): Promise<void> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(windows.focus(), {
      title: shellText.pickRepository,
      properties: ['openDirectory'],
    });
    const [folder] = filePaths;
    if (canceled || folder === undefined) return;
    app.addRecentDocument(folder);
    windows.show(newFixHash(folder));
  };
  const template = menuTemplate({
    platform,
    devTools: !app.isPackaged,
    act: (action) => windows.focus().webContents.send(CHANNELS.menu, action),
    openRepository: () => void openRepository(),
    saveLog: save,
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
