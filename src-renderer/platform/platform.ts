/**
 * What the shell around the page can do. Every member is optional: a screen asks whether an ability
 * is there, never which shell it runs in.
 */
export interface Platform {
  /** Absolute path of a folder a person picked; `null` when none was. */
  pickFolder?: (title: string) => Promise<string | null>;
  pickFile?: (options: PickFileOptions) => Promise<string | null>;
  /** Folder to write into. */
  saveFolder?: (title: string) => Promise<string | null>;
  /** Path of something that was dropped on the page. */
  pathOfFile?: (file: File) => string | null;
  /** Shows a note outside the page; resolves when it could not be shown, too. */
  notify?: (note: PlatformNote) => Promise<void>;
  /** Whether notes may be shown; asks the person where `ask` is set. */
  mayNotify?: (ask: boolean) => Promise<boolean>;
  /** How many sessions ended unseen; 0 takes the badge away. */
  setBadge?: (count: number) => void;
  /** Name of the window or tab; a badge the page itself shows stays beside it. */
  setTitle?: (title: string) => void;
  /** A native menu chose an action of the shortcut table. Returns what ends it. */
  onMenu?: (listener: (action: string) => void) => () => void;
  windowControls?: { minimize: () => void; toggleMaximize: () => void; close: () => void };
  /** Gives a file to the person; the page's own download where it is missing. */
  saveFile?: (name: string, bytes: Uint8Array) => Promise<void>;
}

export interface PickFileOptions {
  title: string;
  /** Endings without a dot. */
  extensions?: string[];
}

export interface PlatformNote {
  title: string;
  body: string;
  /** A note with the same tag takes the place of the one before. */
  tag: string;
  onOpen?: () => void;
}
