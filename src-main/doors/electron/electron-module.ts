import type * as electron from 'electron';
import type { AppLog } from './app-log.ts';

/** Electron as it is handed to everything but `main.ts`, so that tests hand over what they like. */
export type ElectronModule = typeof electron;
export type { BrowserWindow, Session, WebContents, WebFrameMain } from 'electron';

/** What `main.ts` starts the app with. */
export interface Started {
  electron: ElectronModule;
  env: Readonly<Record<string, string | undefined>>;
  argv: readonly string[];
  platform: NodeJS.Platform;
}

/** The same once Electron is ready. */
export interface Running extends Started {
  /** `VIVARIUM_HOME`. */
  home: string;
  log: AppLog;
}
