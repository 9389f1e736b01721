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

  isVisible = (): boolean => this.shown;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  isDestroyed = (): boolean => false;
  focus(): void {}
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 });
  setBackgroundColor(color: string): void {
    this.background = color;
  }
}

/** `locked`: whether another one runs already. */
export function fakeElectron({ locked = false } = {}) {
  const calls: string[] = [];
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
    dialog: { showErrorBox: (title: string) => void calls.push(`error ${title}`) },
    ipcMain: Object.assign(ports, {
      handle: (channel: string, answer: Answer) => void answers.set(channel, answer),
    }),
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu: () => void calls.push('menu'),
    },
    nativeTheme: Object.assign(new EventEmitter(), {
      themeSource: 'system',
      shouldUseDarkColors: true,
      shouldUseHighContrastColors: false,
    }),
    Notification: class extends EventEmitter {
      static isSupported = (): boolean => false;
    },
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
    ...{ app, calls, windows, answers, permit, ports, session },
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
