import type { BrowserWindowConstructorOptions } from 'electron';
import type { Bounds } from './window-place.ts';

export interface WindowLook {
  dark: boolean;
  contrast: boolean;
}

export interface WindowWishes extends WindowLook {
  bounds: Bounds;
  /** Absolute path of the built preload. */
  preload: string;
  /** For developers, whose app is no package. */
  devTools: boolean;
}

/** Smaller than this the page has no room for its sidebar. */
export const LEAST_SIZE = { width: 720, height: 480 } as const;

/** The ground of the page, so that nothing white flashes before it is there; see tokens.css. */
export function backgroundColor({ dark, contrast }: WindowLook): string {
  if (contrast) return dark ? '#000000' : '#ffffff';
  return dark ? '#131613' : '#fbfbf9';
}

/** All that a window of ours is made of. What guards it is said, though most of it is the default. */
export function windowOptions(wishes: WindowWishes): BrowserWindowConstructorOptions {
  return {
    ...wishes.bounds,
    minWidth: LEAST_SIZE.width,
    minHeight: LEAST_SIZE.height,
    title: 'Vivarium',
    show: false,
    backgroundColor: backgroundColor(wishes),
    webPreferences: {
      preload: wishes.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Dictionaries would be fetched.
      spellcheck: false,
      devTools: wishes.devTools,
    },
  };
}
