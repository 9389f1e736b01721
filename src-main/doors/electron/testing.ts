/** An Electron that notes what it is told, for tests. */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import type { ElectronModule } from './electron-module.ts';

interface Permits {
  request?: Function;
  check?: Function;
  device?: Function;
  before?: Function;
}

type Answer = (event: unknown, input: unknown) => unknown;

export class FakeContents extends EventEmitter {
  readonly id: number;
  readonly sent: unknown[][] = [];
  openHandler: ((details: { url: string }) => unknown) | undefined;
  reloads = 0;

  constructor(id: number) {
    super();
    this.id = id;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => unknown): void {
    this.openHandler = handler;
  }

  send(...words: unknown[]): void {
    this.sent.push(words);
  }

  reload(): void {
    this.reloads += 1;
  }
}

export class FakeWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: FakeContents;
  readonly urls: string[] = [];
  shown = false;
  background: string | undefined;

  constructor(options: BrowserWindowConstructorOptions, id: number) {
    super();
    this.options = options;
    this.webContents = new FakeContents(id);
  }

  async loadURL(url: string): Promise<void> {
    this.urls.push(url);
  }

  show(): void {
    this.shown = true;
  }

  minimized = false;
  maximized = false;
  focused = 0;
  isVisible = (): boolean => this.shown;
  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  isDestroyed = (): boolean => false;
  focus(): void {
    this.focused += 1;
  }
  restore(): void {
    this.minimized = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 });
  setBackgroundColor(color: string): void {
    this.background = color;
  }
}

export interface FakeNote {
  title: string;
  body: string;
  click(): void;
}

/** What a person answers in dialogs; each is changed by tests. */
export interface FakeAnswers {
  /** Of questions: the index of the button. */
  button: number;
  /** Picked to open. */
  picked: string | null;
  /** Picked to save. */
  saved: string | null;
}

/** `locked`: whether another one runs already. */
export function fakeElectron({ locked = false } = {}) {
  const calls: string[] = [];
  const notes: FakeNote[] = [];
  const menu: MenuItemConstructorOptions[] = [];
  const person: FakeAnswers = { button: 0, picked: null, saved: null };
  const windows: FakeWindow[] = [];
  const answers = new Map<string, Answer>();
  const ports = new EventEmitter();
  const permit: Permits = {};
  const app = fakeApp(calls, locked);
  const session = fakeSession(calls, permit);
  class Window extends FakeWindow {
    constructor(options: BrowserWindowConstructorOptions) {
      super(options, windows.length + 1);
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
  }
  const area = { x: 0, y: 0, width: 1920, height: 1080 };
  const electron = {
    app,
    BrowserWindow: Window,
    dialog: fakeDialog(calls, person),
    ipcMain: Object.assign(ports, {
      handle: (channel: string, answer: Answer) => void answers.set(channel, answer),
    }),
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu(template: MenuItemConstructorOptions[]) {
        calls.push('menu');
        menu.push(...template);
      },
    },
    nativeTheme: Object.assign(new EventEmitter(), {
      themeSource: 'system',
      shouldUseDarkColors: true,
      shouldUseHighContrastColors: false,
    }),
    Notification: fakeNotification(notes),
    powerMonitor: new EventEmitter(),
    protocol: {
      registerSchemesAsPrivileged: (schemes: unknown) =>
        void calls.push(`schemes ${JSON.stringify(schemes)}`),
      handle: (scheme: string) => void calls.push(`protocol ${scheme}`),
    },
    screen: {
      getPrimaryDisplay: () => ({ id: 1, workArea: area }),
      getAllDisplays: () => [{ id: 1, workArea: area }],
    },
    session: { defaultSession: session },
    utilityProcess: {},
  };
  return {
    // As much of it as the door uses.
    electron: electron as unknown as ElectronModule,
    ...{ app, calls, windows, answers, permit, ports, session, notes, person, menu },
  };
}

function fakeDialog(calls: string[], person: FakeAnswers) {
  return {
    showErrorBox: (title: string) => void calls.push(`error ${title}`),
    showMessageBox: async (...words: Array<{ message?: string }>) => {
      calls.push(`ask ${words.at(-1)?.message ?? ''}`);
      return { response: person.button };
    },
    showOpenDialog: async () => ({
      canceled: person.picked === null,
      filePaths: person.picked === null ? [] : [person.picked],
    }),
    showSaveDialog: async () => ({
      canceled: person.saved === null,
      filePath: person.saved ?? '',
    }),
  };
}

function fakeNotification(notes: FakeNote[]) {
  return class extends EventEmitter {
    static isSupported = (): boolean => true;
    readonly options: { title: string; body: string };
    constructor(options: { title: string; body: string }) {
      super();
      this.options = options;
    }
    show(): void {
      notes.push({ ...this.options, click: () => this.emit('click') });
    }
    close(): void {
      this.emit('close');
    }
  };
}

function fakeApp(calls: string[], locked: boolean) {
  return Object.assign(new EventEmitter(), {
    isPackaged: true,
    enableSandbox: () => void calls.push('enableSandbox'),
    requestSingleInstanceLock: () => {
      calls.push('lock');
      return !locked;
    },
    quit: () => void calls.push('quit'),
    exit: (code: number) => void calls.push(`exit ${code}`),
    setPath: (name: string, value: string) => void calls.push(`setPath ${name} ${value}`),
    commandLine: { appendSwitch: (name: string) => void calls.push(`switch ${name}`) },
    whenReady: async () => void calls.push('ready'),
    getAppPath: () => '/app',
    addRecentDocument: (path: string) => void calls.push(`recent ${path}`),
    setBadgeCount: (count: number) => calls.push(`badge ${count}`) > 0,
  });
}

function fakeSession(calls: string[], permit: Permits) {
  return Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: Function) => (permit.request = handler),
    setPermissionCheckHandler: (handler: Function) => (permit.check = handler),
    setDevicePermissionHandler: (handler: Function) => (permit.device = handler),
    setSpellCheckerEnabled: (on: boolean) => void calls.push(`spell ${on}`),
    webRequest: { onBeforeRequest: (handler: Function) => (permit.before = handler) },
  });
}
