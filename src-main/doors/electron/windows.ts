import { settingsSchema, type HandlerContext, type Settings } from '../../contract/index.ts';
import type { Core } from '../../core/index.ts';
import { applyTheme, openWindow, pageUrl, placeOf } from './app-window.ts';
import type { BrowserWindow, ElectronModule } from './electron-module.ts';
import type { WindowPlace } from './window-place.ts';

export interface WindowsDoor {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'nativeTheme' | 'screen'>;
  core: Pick<Core, 'handlers'>;
  preload: string;
  devTools: boolean;
  onOpened: (window: BrowserWindow) => void;
}

/** The windows of the app, and the settings they are drawn by. */
export interface Windows {
  /** Ids of their contents. */
  readonly known: ReadonlySet<number>;
  all(): Iterable<BrowserWindow>;
  of(contents: number): BrowserWindow | undefined;
  /** Reads the settings; before the first window. */
  load(): Promise<void>;
  settings(): Settings;
  use(settings: Settings): void;
  /** The window, brought to the front; opened when there is none. */
  focus(): BrowserWindow;
  /** The same, at a place of the page; an empty one leaves it where it is. */
  show(hash: string): void;
  keepPlaces(): Promise<void>;
}

export function createWindows(door: WindowsDoor): Windows {
  const windows = new Map<number, BrowserWindow>();
  const known = new Set<number>();
  const context: HandlerContext = { signal: new AbortController().signal };
  let settings: Settings = settingsSchema.parse({});

  /** Whether it could be kept is no reason to stay open. */
  async function keep(place: WindowPlace): Promise<void> {
    try {
      settings = await door.core.handlers['settings/set']({ window: place }, context);
    } catch {
      return;
    }
  }

  function open(hash: string): BrowserWindow {
    const { electron, preload, devTools } = door;
    const window = openWindow(
      { electron, preload, devTools, settings, keepPlace: (place) => void keep(place) },
      hash,
    );
    const { id } = window.webContents;
    windows.set(id, window);
    known.add(id);
    window.on('closed', () => {
      windows.delete(id);
      known.delete(id);
    });
    door.onOpened(window);
    return window;
  }

  return {
    known,
    all: () => windows.values(),
    of: (contents) => windows.get(contents),
    async load() {
      settings = await door.core.handlers['settings/get']({}, context);
      applyTheme(door.electron, settings, windows.values());
    },
    settings: () => settings,
    use(changed) {
      settings = changed;
      applyTheme(door.electron, settings, windows.values());
    },
    focus() {
      const [window] = windows.values();
      return window === undefined ? open('') : toFront(window);
    },
    show(hash) {
      const [window] = windows.values();
      if (window === undefined) open(hash);
      else if (hash !== '') void toFront(window).loadURL(pageUrl(hash));
      else toFront(window);
    },
    async keepPlaces() {
      for (const window of windows.values()) await keep(placeOf(window));
    },
  };
}

/** One that is not shown yet shows itself when it is ready. */
function toFront(window: BrowserWindow): BrowserWindow {
  if (window.isMinimized()) window.restore();
  if (window.isVisible()) window.focus();
  return window;
}
