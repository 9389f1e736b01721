import path from 'node:path';
import { inspect } from 'node:util';
import type { Core } from '../../core/index.ts';
import type { Handlers } from '../../contract/index.ts';
import { messageOf, nodeProgram, ownScript } from '../../lib/index.ts';
import { rendererFolder } from '../assets/index.ts';
import { answerPlatform } from './answer-platform.ts';
import type { AppLog } from './app-log.ts';
import { answerAppRequest } from './app-protocol.ts';
import { applyTheme } from './app-window.ts';
import { CHANNELS } from './channels.ts';
import { folderInWords, newFixHash } from './folder-in-words.ts';
import { guardSession } from './guard-session.ts';
import { acceptPorts } from './hand-over.ts';
import { menuTemplate } from './menu-template.ts';
import { createNotes } from './notes.ts';
import { createQuitGuard } from './quit-guard.ts';
import type { Started } from './electron-module.ts';
import { shellText } from './text.ts';
import { utilityChild } from './utility-child.ts';
import { saveLog, watchMachine, watchWindow, type HealthDoor } from './watch-health.ts';
import { createWindows, type Windows } from './windows.ts';

/** For workspaces and servers to be removed; what is left then is removed at the next start. */
const CLOSE_WITHIN_MS = 10_000;

export interface Running extends Started {
  home: string;
  log: AppLog;
}

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
  const windows = createWindows({
    electron,
    core,
    // Read by Electron itself, so that it may lie in the archive.
    preload: path.join(app.getAppPath(), 'out', 'preload', 'preload.cjs'),
    devTools,
    onOpened: (window) => watchWindow(health, window),
  });
  await windows.load();
  openDoors(running, core, windows, notes);
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
  notes: ReturnType<typeof createNotes>,
): void {
  const handlers: Handlers = {
    ...core.handlers,
    'settings/set': async (changes, context) => {
      const settings = await core.handlers['settings/set'](changes, context);
      windows.use(settings);
      return settings;
    },
  };
  const accept = acceptPorts({
    handlers,
    known: windows.known,
    tell: log.add,
    onFault: (name, thrown) => log.add(`fault: ${name}: ${inspect(thrown)}`),
  });
  electron.ipcMain.on(CHANNELS.connect, accept);
  answerPlatform({ electron, known: windows.known, notes, windowOf: windows.of, tell: log.add });
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

function followApp({ electron, platform, log }: Running, core: Core, windows: Windows): void {
  const { app, dialog, nativeTheme } = electron;
  const beforeQuit = createQuitGuard({
    running: () => core.running().length,
    ask: async (count) => {
      const words = shellText.quit;
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: words.message(count),
        detail: words.detail,
        buttons: [words.keep, words.stop],
        defaultId: 0,
        cancelId: 0,
      });
      return response === 1;
    },
    onKeep: () => void windows.focus(),
    close: async () => {
      await windows.keepPlaces();
      await core.close();
    },
    exit: () => app.exit(0),
    deadlineMs: CLOSE_WITHIN_MS,
  });
  app.on('before-quit', beforeQuit);
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  app.on('activate', () => void windows.focus());
  app.on('second-instance', (_event, words, cwd) => {
    const folder = app.isPackaged ? folderInWords(words, cwd) : null;
    windows.show(folder === null ? '' : newFixHash(folder));
  });
  app.on('open-file', (event, folder) => {
    event.preventDefault();
    windows.show(newFixHash(folder));
  });
  nativeTheme.on('updated', () => applyTheme(electron, windows.settings(), windows.all()));
  process.on('uncaughtException', (fault) => log.add(`fault: ${messageOf(fault)}`));
}
