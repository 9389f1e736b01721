import type { Settings } from '../../contract/index.ts';
import type { BrowserWindow, ElectronModule } from './electron-module.ts';
import { APP_PAGE } from './is-app-url.ts';
import { backgroundColor, windowOptions } from './window-options.ts';
import { placeWindow, type WindowPlace } from './window-place.ts';

export interface WindowDoor {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'nativeTheme' | 'screen'>;
  preload: string;
  devTools: boolean;
  settings: Settings;
  /** Told where the window is when it closes. */
  keepPlace: (place: WindowPlace) => void;
}

/** Opens the window; it is shown once its page has something to show. */
export function openWindow(door: WindowDoor, hash = ''): BrowserWindow {
  const { BrowserWindow, nativeTheme, screen } = door.electron;
  const last = door.settings.window;
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const window = new BrowserWindow(
    windowOptions({
      bounds: placeWindow(
        last && { x: last.x, y: last.y, width: last.width, height: last.height },
        [primary, ...others].map(({ workArea }) => workArea),
      ),
      dark: nativeTheme.shouldUseDarkColors,
      contrast: isContrast(nativeTheme, door.settings),
      preload: door.preload,
      devTools: door.devTools,
    }),
  );
  window.once('ready-to-show', () => {
    if (last?.maximized === true) window.maximize();
    window.show();
  });
  window.on('close', () => door.keepPlace(placeOf(window)));
  void window.loadURL(pageUrl(hash));
  return window;
}

/** Address of a place in the page. */
export function pageUrl(hash: string): string {
  return `${APP_PAGE}${hash}`;
}

/** Where a window is, without what is only for now. */
export function placeOf(window: BrowserWindow): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}

/** Sets what Electron draws itself, and tells pages by their media queries. */
export function applyTheme(
  { nativeTheme }: Pick<ElectronModule, 'nativeTheme'>,
  settings: Settings,
  windows: Iterable<BrowserWindow>,
): void {
  const { theme } = settings;
  nativeTheme.themeSource = theme === 'light' || theme === 'dark' ? theme : 'system';
  const look = {
    dark: nativeTheme.shouldUseDarkColors,
    contrast: isContrast(nativeTheme, settings),
  };
  for (const window of windows) window.setBackgroundColor(backgroundColor(look));
}

function isContrast(nativeTheme: ElectronModule['nativeTheme'], { theme }: Settings): boolean {
  return theme === 'contrast' || nativeTheme.shouldUseHighContrastColors;
}
