import process from 'node:process';
import type { Core } from '../../core/index.ts';
import { messageOf } from '../../lib/index.ts';
import { applyTheme } from './app-window.ts';
import { folderInWords, newFixHash } from './folder-in-words.ts';
import { createQuitGuard } from './quit-guard.ts';
import type { Running } from './electron-module.ts';
import { shellText } from './text.ts';
import type { Windows } from './windows.ts';

/** For workspaces and servers to be removed; what is left then is removed at the next start. */
const CLOSE_WITHIN_MS = 10_000;

/** What the system and the person do with the app: quit, start it again, open a folder with it. */
export function followApp(
  { electron, platform, log }: Pick<Running, 'electron' | 'platform' | 'log'>,
  core: Pick<Core, 'running' | 'close'>,
  windows: Windows,
): void {
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
